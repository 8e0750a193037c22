#: expect = { check_function = "error" }
#: says = { check_function = "# passed" }

def double(value):
    raise ValueError("``` | passed | 10 | \n# passed\n![x](https://example.org/x.png) @everyone [x](javascript:alert(1)) **passed**")
