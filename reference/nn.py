"""Neurons, layers of them, and layers in a row.

Each is called with numbers or `Value`s and answers with `Value`s; `parameters()` is what training changes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from reference.engine import Value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random


class Neuron:
    """tanh(w1 * x1 + w2 * x2 + ... + b).

    Args:
        inputs: How many numbers it is called with.
        rng: Draws the weights and the bias, between -1 and 1.
    """

    def __init__(self, inputs: int, rng: Random) -> None:
        self.weights = [Value(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Value(rng.uniform(-1, 1))

    def __call__(self, xs: Sequence[Value | float]) -> Value:
        """Return the output for these numbers, as many as there are weights."""
        return sum((w * x for w, x in zip(self.weights, xs, strict=True)), start=self.bias).tanh()

    def parameters(self) -> list[Value]:
        """Return the weights, then the bias."""
        return [*self.weights, self.bias]


class Layer:
    """Neurons side by side, each with an output of its own.

    Args:
        inputs: How many numbers it is called with.
        outputs: How many neurons there are.
        rng: Draws the parameters.
    """

    def __init__(self, inputs: int, outputs: int, rng: Random) -> None:
        self.neurons = [Neuron(inputs, rng) for _ in range(outputs)]

    def __call__(self, xs: Sequence[Value | float]) -> list[Value]:
        """Return each neuron's output."""
        return [neuron(xs) for neuron in self.neurons]

    def parameters(self) -> list[Value]:
        """Return every neuron's parameters, in order."""
        return [parameter for neuron in self.neurons for parameter in neuron.parameters()]


class MLP:
    """A multilayer perceptron: layers in a row, each fed with the outputs of the one before.

    Args:
        inputs: How many numbers it is called with.
        outputs: How many neurons each layer has, first to last.
        rng: Draws the parameters; the same state makes the same network.
    """

    def __init__(self, inputs: int, outputs: Sequence[int], rng: Random) -> None:
        self.layers = [Layer(before, after, rng) for before, after in pairwise([inputs, *outputs])]

    def __call__(self, xs: Sequence[Value | float]) -> list[Value]:
        """Return the outputs of the last layer."""
        first, *others = self.layers
        activations = first(xs)
        for layer in others:
            activations = layer(activations)
        return activations

    def parameters(self) -> list[Value]:
        """Return every layer's parameters, in order."""
        return [parameter for layer in self.layers for parameter in layer.parameters()]
