#: cells = '''[honest, "import asyncio\nawait asyncio.Event().wait()"]'''
#: expect = "not_run"
#: says = "Stopped after 2 s"
