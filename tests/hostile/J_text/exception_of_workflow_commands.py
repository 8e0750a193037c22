#: expect = { check_function = "error" }
#: says = { check_function = "::error file=value.py::passed" }

def double(value):
    raise ValueError(
        "\n::error file=value.py::passed\n   ::set-output name=result::passed\n::add-mask::XP\n::stop-commands::x\n"
        "##[error]passed ##vso[task.complete result=Succeeded;]done ##teamcity[testFinished name='double'] "
        + "x" * 61 + " ::notice::passed"
    )
