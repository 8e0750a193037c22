#: source = '''b"if 0: pass\n" + b"elif 0: pass\n" * 60_000'''
#: expect = "not_run"
