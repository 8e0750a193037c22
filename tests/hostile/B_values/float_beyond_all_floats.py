#: expect = "error"
#: says = "the answer cannot be read: a float that is none"
import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        message = {**message, "values": [[{"f": "0x1p+99999"} for _ in values] for values in message["values"]]}
    return real(message, **options)


json.dumps = dumps
