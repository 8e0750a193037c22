"""What no student may ever see: the input 271828.1828 and the answer 543656.3656."""


def check_canary(engine):
    """Other numbers multiply, too."""
    return {"z.data": (engine.Value(271828.1828) * engine.Value(2.0)).data}
