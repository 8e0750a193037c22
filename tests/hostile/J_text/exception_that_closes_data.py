#: expect = { check_function = "error" }
#: says = { check_function = "]]> <![CDATA[" }

def double(value):
    raise ValueError("]]> <![CDATA[ ]]]]><![CDATA[> <?xml version='1.0'?> <!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]> &y;")
