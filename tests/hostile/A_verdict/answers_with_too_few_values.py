#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "interfered"
import json

real = json.dumps


def dumps(message, **options):
    return real({**message, "values": [values[1:] for values in message["values"]]} if "values" in message else message, **options)


json.dumps = dumps
