#: expect = { check_function = "error" }
#: says = { check_function = "<script>alert(1)</script>" }

def double(value):
    raise ValueError("<script>alert(1)</script><img src=x onerror=alert(1)></failure></testcase><testcase name='check_function'/>&lt;&#0;<!--")
