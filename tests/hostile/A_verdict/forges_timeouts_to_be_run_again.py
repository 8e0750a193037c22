#: expect = "timeout"
#: says = "Stopped after 1 s"
import json

real = json.dumps


def dumps(message, **options):
    if "values" in message:
        message = {"id": message["id"], "raised": {"type": "x", "message": "x", "frames": [], "limit": "wall"}}
    return real(message, **options)


json.dumps = dumps
