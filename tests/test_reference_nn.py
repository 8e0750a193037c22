"""The reference networks: how many parameters they have, and that they learn."""

from __future__ import annotations

import math
from random import Random

import pytest

from reference.engine import Value
from reference.nn import MLP, Layer, Neuron


def test_neuron() -> None:
    """A neuron is tanh of the weighted sum of its inputs and its bias; it takes numbers and values."""
    neuron = Neuron(2, Random(1))
    first, second, bias = (parameter.data for parameter in neuron.parameters())

    assert pytest.approx(math.tanh(first * 0.5 + second * -2.0 + bias)) == neuron([Value(0.5), -2.0]).data


def test_neuron_counts_its_inputs() -> None:
    """As many numbers as weights, no fewer and no more."""
    with pytest.raises(ValueError, match="zip"):
        Neuron(2, Random(1))([1.0])


def test_layer() -> None:
    """A layer answers with the output of each of its neurons."""
    layer = Layer(2, 3, Random(1))

    assert [neuron([1.0, 2.0]).data for neuron in layer.neurons] == [out.data for out in layer([1.0, 2.0])]


def test_parameter_counts() -> None:
    """A 2-8-8-1 network has 24 + 72 + 9 = 105 parameters, all between -1 and 1."""
    network = MLP(2, [8, 8, 1], Random(1))

    assert [24, 72, 9] == [len(layer.parameters()) for layer in network.layers]
    assert 105 == len(set(network.parameters()))
    assert all(-1 <= parameter.data <= 1 for parameter in network.parameters())


def test_same_draws_same_network() -> None:
    """The random numbers given decide the network, and nothing else does."""
    one, same, other = (MLP(2, [3, 1], Random(seed)).parameters() for seed in (1, 1, 2))

    assert [parameter.data for parameter in one] == [parameter.data for parameter in same]
    assert [parameter.data for parameter in one] != [parameter.data for parameter in other]


def test_circle() -> None:
    """In 200 steps the network tells the inside of a circle from the outside, 9 of 10 points at least."""
    rng = Random(1)
    points = [(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(60)]
    sides = [1.0 if math.hypot(x, y) < 0.8 else -1.0 for x, y in points]
    network = MLP(2, [8, 8, 1], rng)
    parameters = network.parameters()

    for step in range(200):
        errors = (network(point)[0] - side for point, side in zip(points, sides, strict=True))
        loss = sum((error**2 for error in errors), start=Value(0.0)) / len(points)
        for parameter in parameters:
            parameter.grad = 0.0
        loss.backward()
        rate = 0.1 if step < 150 else 0.03
        for parameter in parameters:
            parameter.data -= rate * parameter.grad

    right = sum(network(point)[0].data * side > 0 for point, side in zip(points, sides, strict=True))
    assert 25 < sides.count(1.0) < 35
    assert right >= 54
