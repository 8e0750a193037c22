#: cells = '''[honest, "import asyncio, os\nasync def later(x):\n    await asyncio.sleep(0.01)\n    return x", "async with asyncio.Lock():\n    found = await later(3)\nif found != 3: del Value", "result = await asyncio.gather(*[asyncio.to_thread(os.getpid) for _ in range(3)])"]'''
#: expect = {}
