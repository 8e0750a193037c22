#: base = false
#: source = '''"# coding: latin-1\n".encode() + honest + "name = 'Müller'\n".encode("latin-1")'''
