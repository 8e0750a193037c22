#: expect = "error"
#: says = "an exception that cannot be read"
import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        forged = {"type": 7, "message": ["passed"], "frames": [[True, None, {}], "x", [1, 2]], "limit": {"wall": 1}}
        message = {"id": message["id"], "raised": forged}
    return real(message, **options)


json.dumps = dumps
