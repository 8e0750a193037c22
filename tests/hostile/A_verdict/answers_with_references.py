#: expect = "failed"
#: says = { check_value = "got an object of type float", check_last = "got an object of type float" }
import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        message = {
            **message,
            "values": [[{"r": number, "o": "float"} for number in range(1, 1 + len(values))] for values in message["values"]],
        }
    return real(message, **options)


json.dumps = dumps
