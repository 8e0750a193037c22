"""A scalar that remembers how it was made, and passes gradients back to what it was made of.

Every operation has the same shape: it makes a new `Value` from the result, the inputs, and for each input the
slope, which is the partial derivative of the result with respect to that input. Addition, multiplication,
power, tanh, relu, exp and log have slopes of their own; negation, subtraction and division are written with
those.

`Value.backward` is reverse-mode differentiation: see Baydin et al., "Automatic Differentiation in Machine
Learning: a Survey", JMLR 18 (2018), section 3.2.
"""

from __future__ import annotations

import math


class Value:
    """One number of an expression; lasts as long as something made from it does.

    A plain number as an operand counts as a constant. A value is equal only to itself. Slopes are taken while
    the expression is built, so a later assignment to `data` changes nothing that was already made from it. What an
    operation makes is of the class of its left operand, so a subclass that replaces a rule keeps to it.

    Args:
        data: The number; kept as a float.
        inputs: What an operation made it from; a leaf has none.
        slopes: For each of the inputs, the partial derivative with respect to it.

    Attributes:
        data: The number.
        grad: The derivative that `backward` found, 0.0 before that.
        inputs: As given.
        slopes: As given.

    Raises:
        TypeError: `data`, or an operand, is no int or float.
    """

    __slots__ = ("data", "grad", "inputs", "slopes")

    def __init__(self, data: float, inputs: tuple[Value, ...] = (), slopes: tuple[float, ...] = ()) -> None:
        if not isinstance(data, (int, float)):
            raise TypeError(f"a Value holds a number, not {type(data).__name__}")
        self.data = float(data)
        self.grad = 0.0
        self.inputs = inputs
        self.slopes = slopes

    def __repr__(self) -> str:
        return f"Value(data={self.data!r}, grad={self.grad!r})"

    def __add__(self, other: Value | float) -> Value:
        other = _as_value(other)
        return type(self)(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other: Value | float) -> Value:
        other = _as_value(other)
        return type(self)(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, exponent: float) -> Value:
        """Raise to a constant power; the slope of `x ** n` is `n * x ** (n - 1)`.

        `x ** 0` is 1 with the slope 0 for every x, 0 among them. Where x is 0 and n between 0 and 1, the
        tangent is vertical and the slope infinite.

        Raises:
            TypeError: The exponent is a `Value`, or no number at all.
            ZeroDivisionError: 0 to a negative power.
            ValueError: A negative number to a power that is not whole, which is not real.
            OverflowError: The power or its slope is too large for a float.
        """
        if not isinstance(exponent, (int, float)):
            raise TypeError(f"the exponent must be a constant number, not {type(exponent).__name__}")
        if self.data < 0 and not float(exponent).is_integer():
            raise ValueError(f"{self.data} ** {exponent} is not a real number")
        data = self.data**exponent
        if exponent == 0:
            slope = 0.0
        elif self.data == 0 and exponent < 1:
            slope = math.inf
        else:
            slope = exponent * self.data ** (exponent - 1)
        return type(self)(data, (self,), (slope,))

    def tanh(self) -> Value:
        """Return the hyperbolic tangent."""
        data = math.tanh(self.data)
        return type(self)(data, (self,), (1 - data * data,))

    def relu(self) -> Value:
        """Return the number itself where it is positive, else 0; at 0 the slope is 0."""
        data, slope = (0.0, 0.0) if self.data <= 0 else (self.data, 1.0)  # asked this way round, NaN stays NaN
        return type(self)(data, (self,), (slope,))

    def exp(self) -> Value:
        """Return e to this power.

        Raises:
            OverflowError: The result is too large for a float.
        """
        data = math.exp(self.data)
        return type(self)(data, (self,), (data,))

    def log(self) -> Value:
        """Return the natural logarithm.

        Raises:
            ValueError: The number is not positive.
        """
        return type(self)(math.log(self.data), (self,), (1 / self.data,))

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        return self + -_as_value(other)

    def __truediv__(self, other: Value | float) -> Value:
        return self * _as_value(other) ** -1

    def __radd__(self, other: float) -> Value:
        return self + other

    def __rmul__(self, other: float) -> Value:
        return self * other

    def __rsub__(self, other: float) -> Value:
        return _as_value(other) - self

    def __rtruediv__(self, other: float) -> Value:
        return _as_value(other) / self

    def backward(self) -> None:
        """Find the derivative of this value with respect to everything it was made of.

        It is added to the `grad` of the leaves, so theirs is to be set to 0 between the steps of a fit. The
        other values get theirs afresh, this one's being 1.
        """
        # How many uses of each value have not passed their gradient on yet.
        waiting = {self: 0}
        found = [self]
        while found:
            value = found.pop()
            if value.inputs:
                value.grad = 0.0
            for source in value.inputs:
                if source not in waiting:
                    waiting[source] = 0
                    found.append(source)
                waiting[source] += 1

        self.grad += 1.0
        complete = [self]
        while complete:
            value = complete.pop()
            for source, slope in zip(value.inputs, value.slopes, strict=True):
                source.grad += slope * value.grad
                waiting[source] -= 1
                if waiting[source] == 0:
                    complete.append(source)


def _as_value(operand: Value | float) -> Value:
    return operand if isinstance(operand, Value) else Value(operand)
