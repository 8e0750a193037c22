#: expect = "error"
#: says = "the answer cannot be read: a dictionary with a key that is not plain, or twice"

import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        message = {
            **message,
            "values": [
                [{"d": [[1, 14], [True, 14], [{"f": "0x1p+0"}, 14]]} for _ in values] for values in message["values"]
            ],
        }
    return real(message, **options)


json.dumps = dumps
