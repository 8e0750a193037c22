#: expect = {}
import io
import sys

sys.stdout = io.StringIO()
sys.stderr = None
sys.stdin = sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = object()
del sys.argv, sys.path
