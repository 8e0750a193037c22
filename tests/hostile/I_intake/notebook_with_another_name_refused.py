#: base = false
#: source = '''b'{"cells": [], "metadata": {}, "nbformat": 4, "execution_count": null}''''
#: expect = "not_run"
#: says = "name 'null' is not defined"
