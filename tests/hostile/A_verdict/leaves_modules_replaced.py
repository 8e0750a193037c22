#: expect = {}
import sys
import types

for name in list(sys.modules):
    sys.modules[name] = types.ModuleType(name)
sys.modules.clear()
sys.meta_path.clear()
sys.path_hooks.clear()
