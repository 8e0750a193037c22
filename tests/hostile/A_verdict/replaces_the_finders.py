#: expect = {}
import sys


class Planted:
    def find_spec(self, name, path=None, target=None):
        raise SystemExit(f"planted in place of {name}")


sys.meta_path[:] = [Planted()]
sys.path_hooks.clear()
sys.path_importer_cache.clear()
sys.modules.pop("json", None)
sys.modules.pop("linecache", None)
