#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "interfered"
import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        message = {"id": message["id"], "status": "ok", "verdict": "passed", "passed": True, "xp": 10}
    return real(message, **options)


json.dumps = dumps
