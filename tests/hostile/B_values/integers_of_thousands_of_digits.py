#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "interfered"
import json

real = json.dumps


def dumps(message, **options):
    text = real(message, **options)
    return text.replace("[", "[" + "9" * 5000 + ",") if "values" in message else text


json.dumps = dumps
