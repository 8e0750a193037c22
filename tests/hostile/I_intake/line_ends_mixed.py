#: base = false
#: source = '''honest.replace(b"\n    def", b"\r\n    def").replace(b"\ndef", b"\rdef")'''
