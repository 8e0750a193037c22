#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "interfered"
import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        message = {**message, "values": [[14.0 for _ in values] for values in message["values"]]}
    return real(message, **options)


json.dumps = dumps
