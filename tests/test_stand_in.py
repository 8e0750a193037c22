"""Stand-ins: the same program on the plain module and on stand-ins for it gives the same results."""

from __future__ import annotations

import math
import operator
import types
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.compare import agree
from grader.errors import ExerciseError
from grader.limits import Limits
from grader.sandbox.unsafe import UnsafeSandbox
from grader.sandbox.wire import MAX_DEPTH, MAX_INT_BITS, WireError
from grader.stand_in import Engine, Frame, Opaque, Recorder, StandIn, StudentError, each_stand_in, number_of
from grader.student import Student
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.sandbox import Session

SOURCE = '''
import math


class Value:
    """A number that knows every operator, and a rule for gradients that is simple and wrong."""

    def __init__(self, data, label="", *, grad=0.0):
        self.data = data
        self.label = label
        self.grad = grad
        self.parents = []

    def _new(self, data, *parents):
        made = Value(data, label="made")
        made.parents = list(parents)
        return made

    def tanh(self):
        return self._new(math.tanh(self.data), self)

    def scaled(self, by=1.0, *, plus=0.0):
        return self._new(self.data * by + plus, self)

    def backward(self):
        self.grad += 1.0
        for parent in self.parents:
            parent.backward()

    def __repr__(self):
        return f"Value({self.data!r})"

    def __str__(self):
        return f"<{self.data}>"

    def __bool__(self):
        return self.data != 0

    def __neg__(self): return self._new(-self.data, self)
    def __pos__(self): return self._new(+self.data, self)
    def __abs__(self): return self._new(abs(self.data), self)
    def __invert__(self): return self._new(1 - self.data, self)


def _number(operand):
    return operand.data if isinstance(operand, Value) else operand


def _define(name, rule):
    setattr(Value, f"__{name}__", lambda a, b: a._new(rule(a.data, _number(b)), a))
    setattr(Value, f"__r{name}__", lambda a, b: a._new(rule(_number(b), a.data), a))


_define("add", lambda a, b: a + b)
_define("sub", lambda a, b: a - b)
_define("mul", lambda a, b: a * b)
_define("matmul", lambda a, b: a * b + 1)
_define("truediv", lambda a, b: a / b)
_define("floordiv", lambda a, b: a // b)
_define("mod", lambda a, b: a % b)
_define("pow", lambda a, b: a**b)
_define("lshift", lambda a, b: a + 2 * b)
_define("rshift", lambda a, b: a - 2 * b)
_define("and", lambda a, b: min(a, b))
_define("or", lambda a, b: max(a, b))
_define("xor", lambda a, b: a - b)


class Total(Value):
    """A value that is changed in place."""

    def __iadd__(self, other):
        self.data += _number(other)
        return self


class Layer:
    def __init__(self, size):
        self.size = size
        self.weights = [Value(0.5 * i) for i in range(size)]

    def __getitem__(self, index): return self.weights[index]
    def __setitem__(self, index, weight): self.weights[index] = weight
    def __delitem__(self, index): del self.weights[index]
    def __len__(self): return len(self.weights)
    def __iter__(self): return iter(self.weights)
    def __contains__(self, weight): return True


class MLP:
    def __init__(self, inputs, sizes):
        self.sizes = [inputs, *sizes]
        self.layers = [Layer(size) for size in sizes]

    def parameters(self):
        return [weight for layer in self.layers for weight in layer]

    def __call__(self, xs, *, scale=1.0):
        return [sum(xs) * weight * scale for weight in self.layers[-1]]


class E(float):
    """A number that lies whenever it is asked."""

    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __float__(self): return 42.0
    def __int__(self): return 42
    def __index__(self): return 42
    def __bool__(self): return True
    def __round__(self, digits=None): return 42
    def __format__(self, form): return "42"
    def __hash__(self): return 42


class Nameless(type):
    __name__ = property(lambda cls: "float")
    __eq__ = lambda one, other: True
    __hash__ = type.__hash__


class Disguised(float, metaclass=Nameless):
    @property
    def __class__(self): return float


def lie(): return E(1.0)
def disguise(): return Disguised(1.0)
def pair(a, b): return a, b
def both(**named): return named
def same(value): return value
def nothing(): return None
def words(): return "tanh(x)"
def endless():
    while True:
        yield 1.0


THINGS = {"pi": 3.0, "primes": [2, 3, 5], 7: (True, None)}
HUGE = 1 << 16_000
DEEP = [[[[]]]]
for _ in range(50):
    DEEP = [DEEP]
'''


class CountingSession:
    """A session that counts what is sent over it; lasts as long as the one it wraps."""

    def __init__(self, session: Session, sandbox: CountingSandbox) -> None:
        self.close, self.receive, self.memory_ran_out = session.close, session.receive, session.memory_ran_out
        self._send = session.send
        self._sandbox = sandbox

    def send(self, data: bytes, deadline: float) -> None:
        """Send it and count it."""
        self._sandbox.sent += 1
        self._send(data, deadline)


class CountingSandbox(UnsafeSandbox):
    """A sandbox that counts the messages to its drivers; lasts as long as the tests of this file."""

    sent = 0

    def open(self, limits: Limits) -> Any:
        """Open a session that is counted."""
        return CountingSession(super().open(limits), self)

    @contextmanager
    def counting(self, expected: int) -> Iterator[None]:
        """Expect so many messages."""
        before = self.sent
        yield
        assert expected == self.sent - before


@pytest.fixture(scope="module")
def sandbox() -> Iterator[CountingSandbox]:
    """Where the student's side of this file's tests runs."""
    with CountingSandbox() as opened:
        yield opened


@pytest.fixture(scope="module")
def student(sandbox: CountingSandbox) -> Iterator[Student]:
    """The source as a submission, loaded, in the middle of a check."""
    submission = Submission("ada", "an exercise", "value.py", SOURCE.encode())
    loaded = Student(submission, Limits(check_seconds=600, cpu_seconds=600), sandbox, execute=True)
    loaded.load()
    loaded.begin()
    yield loaded
    loaded.end()
    loaded.close()


@pytest.fixture
def engine(student: Student) -> Any:
    """The student's module in a new case."""
    student.new_case()
    return student.engine


def plain_module() -> Any:
    """Return the source as a module of this process."""
    module = types.ModuleType("value")
    exec(SOURCE, module.__dict__)  # noqa: S102  # it stands above
    return module


def exact(value: object) -> object:
    """Return what tells plain values apart to the bit and by their types, NaN being NaN."""
    if isinstance(value, float):
        return "float", value.hex()
    if isinstance(value, dict):
        return {exact(key): exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value).__name__, [exact(item) for item in value]
    return type(value).__name__, value


# --------------------------------------------------------------------------------------------------------------------
# The same program on both


class Memory:
    """What a drawn program works with; lasts as long as it runs.

    Args:
        engine: The plain module, or the stand-in for the student's.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.values: list[Any] = [engine.Value(2.0), engine.Value(data=-0.5, label="b")]
        self.others: list[Any] = []
        self.numbers: list[Any] = [engine.Value(3).data, engine.same(0.25), engine.Value(True).data]  # noqa: FBT003

    def value(self, index: int) -> Any:
        """Return one of the values."""
        return self.values[index % len(self.values)]

    def number(self, index: int) -> Any:
        """Return one of the numbers."""
        return self.numbers[index % len(self.numbers)]


ARITHMETIC = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "lshift", "rshift", "and_", "or_", "xor")
IN_PLACE = ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "imatmul", "ilshift", "iand", "ior", "ixor")
ON_NUMBERS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne", "and_", "xor")
SIDES: dict[str, Callable[[Any, Any, float], tuple[Any, Any]]] = {
    "both": lambda a, b, _: (a, b),
    "left": lambda a, _, c: (a, c),
    "right": lambda a, _, c: (c, a),
    "mixed": lambda a, b, c: (a * c, b),
}
CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "int": int,
    "round": round,
    "round to 3": lambda number: round(number, 3),
    "abs": abs,
    "neg": operator.neg,
    "pos": operator.pos,
    "bool": bool,
    "not": operator.not_,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "log": lambda number: math.log(abs(number) + 1),
    "isclose": lambda number: math.isclose(number, 0.5),
    "str": str,
    "repr": repr,
    "format": lambda number: f"{number:.3f} {number!r:>9} {number}",
    "percent": lambda number: "%.2f|%s" % (number, number),  # noqa: UP031  # one way of many
    "power": lambda number: number**2 + 2 ** int(min(abs(number), 9)),
    "in": lambda number: [number in (3, 0.25), number in {3: 1, 0.25: 2}, number in [None, True]],
    "set": lambda number: len({number, 3, 0.25, number}),
    "index": lambda number: ["a", "b", "c"][int(abs(min(number, 2)))],
    "max": lambda number: [max(number, 0), min(0.5, number), sorted([1, number, -1])],
    "sum": lambda number: sum([number, number, 1]),
    "chain": lambda number: -1 < number < 1 <= number or number,
}


class Step(NamedTuple):
    """One step of a drawn program."""

    kind: str
    how: str
    first: int
    second: int
    constant: float


def _construct(memory: Memory, step: Step) -> None:
    memory.values.append(memory.engine.Value(memory.number(step.first), grad=step.constant))


def _operate(memory: Memory, step: Step) -> None:
    name, side = step.how.split()
    operands = SIDES[side](memory.value(step.first), memory.value(step.second), step.constant)
    memory.values.append(getattr(operator, name)(*operands))


def _raise_to_powers(memory: Memory, step: Step) -> None:
    value = memory.value(step.first)
    memory.values.append(value**step.first + 0.5**value)


def _take_alone(memory: Memory, step: Step) -> None:
    memory.values.append(getattr(operator, step.how)(memory.value(step.first)))


def _operate_in_place(memory: Memory, step: Step) -> None:
    total = memory.engine.Total(memory.number(step.first))
    total += memory.value(step.first)
    total += step.constant
    memory.values += [total, getattr(operator, step.how)(memory.value(step.first), memory.value(step.second))]


def _call(memory: Memory, step: Step) -> None:
    value, number = memory.value(step.first), memory.number(step.second)
    memory.values += [value.tanh(), value.scaled(step.constant), value.scaled(by=2.0, plus=number)]


def _read(memory: Memory, step: Step) -> None:
    value = memory.value(step.first)
    memory.numbers.append(value.grad if step.second % 2 else value.data)


def _assign(memory: Memory, step: Step) -> None:
    memory.value(step.first).data = memory.number(step.second)


def _train(memory: Memory, step: Step) -> None:
    value = memory.value(step.first)
    value.backward()
    value.data -= 0.1 * value.grad
    value.grad = step.constant


def _calculate(memory: Memory, step: Step) -> None:
    function, number = getattr(operator, step.how), memory.number(step.first)
    memory.numbers.append(function(number, memory.number(step.second)))
    memory.numbers += [function(number, step.constant), function(step.constant, number)]


def _convert(memory: Memory, step: Step) -> None:
    memory.others.append(CONVERSIONS[step.how](memory.number(step.first)))


def _ask(memory: Memory, step: Step) -> None:
    engine, value, number = memory.engine, memory.value(step.first), memory.number(step.second)
    memory.others += [bool(value), str(value), repr(value), isinstance(value, engine.Total)]
    memory.others += [value in [number, value], value != number, value == number, isinstance(number, engine.Value)]
    memory.others += [{value: 1, number: 2}[value], hash(value) == hash(value)]


def _use_as_list(memory: Memory, step: Step) -> None:
    layer = memory.engine.MLP(2, [2, 3]).layers[-1]
    layer[step.first % 3] = memory.value(step.first)
    layer[1].data = memory.number(step.second)
    del layer[step.second % 3]
    memory.others += [len(layer), layer.size, [weight.data for weight in layer], bool(layer)]
    memory.values += [layer[-1], sum(layer)]


def _use_network(memory: Memory, step: Step) -> None:
    network = memory.engine.MLP(2, [step.first, 2])
    outputs = network([memory.value(step.first), step.constant], scale=memory.number(step.second))
    sizes = network.sizes
    memory.others += [float(sizes[0]), sizes[-1] == 2]
    network.sizes.append(memory.number(step.second))
    memory.others += [sizes, sizes[-1], list(sizes), len(sizes), sizes == [2, step.first, 2], 7 in network.sizes]
    memory.values += [*outputs, sum(parameter * 2.0 for parameter in network.parameters())]


def _collect(memory: Memory, step: Step) -> None:
    engine, number = memory.engine, memory.number(step.second)
    one, two = engine.pair(memory.value(step.first), [number, step.constant])
    named = engine.both(a=one, b=two[1])
    memory.values.append(named["a"])
    memory.others += [two, engine.pair(number, step.constant), sorted(named), "a" in named, engine.THINGS["primes"]]
    memory.others += [[f"{key}" for key, _ in engine.THINGS.items()], engine.nothing(), engine.words()]
    memory.others += ["tanh" in engine.words(), "an" in engine.words(), "no" in engine.words(), engine.words()[2]]


DOES: dict[str, tuple[Callable[[Memory, Step], None], Sequence[str]]] = {
    "construct": (_construct, [""]),
    "operate": (_operate, [f"{name} {side}" for name in ARITHMETIC for side in SIDES]),
    "power": (_raise_to_powers, [""]),
    "unary": (_take_alone, ["neg", "pos", "abs", "invert"]),
    "in place": (_operate_in_place, IN_PLACE),
    "call": (_call, [""]),
    "read": (_read, [""]),
    "assign": (_assign, [""]),
    "train": (_train, [""]),
    "calculate": (_calculate, ON_NUMBERS),
    "convert": (_convert, list(CONVERSIONS)),
    "ask": (_ask, [""]),
    "list": (_use_as_list, [""]),
    "network": (_use_network, [""]),
    "collect": (_collect, [""]),
}
CONSTANTS = st.sampled_from([0.5, 2.0, -1.0, 3, 0, -0.0, 1e300, 7])
STEPS: st.SearchStrategy[Step] = st.one_of(
    [
        st.builds(Step, st.just(kind), st.sampled_from(ways), st.integers(0, 3), st.integers(0, 5), CONSTANTS)
        for kind, (_, ways) in DOES.items()
    ]
)


def run(engine: Any, steps: Sequence[Step], resolve: Callable[[object], Any]) -> object:
    """Run a program and return all that it has come to; a program that raises comes to that."""
    try:
        memory = Memory(engine)
        for each in steps:
            DOES[each.kind][0](memory, each)
        values = [(value.data, value.grad, value.label) for value in memory.values]
        return exact(resolve({"values": values, "numbers": memory.numbers, "others": memory.others}))
    except (ArithmeticError, TypeError, ValueError, LookupError, StudentError):
        return "raised"


@settings(max_examples=250, deadline=None)
@given(st.lists(STEPS, max_size=12))
def test_a_program_gives_the_same_on_both_sides(student: Student, steps: list[Step]) -> None:
    """Whatever a check does, stand-ins give what the module itself would have given, types and last bits included."""
    student.new_case()

    assert run(plain_module(), steps, lambda value: value) == run(student.engine, steps, student.recorder.resolve)


def on_both(student: Student, program: Callable[[Any], object]) -> list[object]:
    """Run a program on the plain module and on its stand-in, and return both results."""
    student.new_case()
    return [exact(program(plain_module())), exact(student.recorder.resolve(program(student.engine)))]


@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor"]
)
def test_every_operator_is_there(student: Student, name: str) -> None:
    """Each operator, its reflected and its in-place form take numbers that were read, and objects."""
    function, in_place = getattr(operator, name), getattr(operator, f"i{name.removesuffix('_')}")

    def program(engine: Any) -> object:
        seven, two = engine.Value(7), engine.Value(2)
        numbers = [function(seven.data, two.data), function(seven.data, 2), function(7, two.data)]
        objects = [function(seven, two).data, function(seven, 2).data, function(7, two).data]
        return numbers, objects, in_place(seven.data, 2), in_place(seven, two).data

    plain, observed = on_both(student, program)

    assert plain == observed


def test_numbers_are_whatever_asks_for_a_number(student: Student) -> None:
    """What was read may be an index, a count or an argument of a function of Python's own."""

    def program(engine: Any) -> object:
        three, half = engine.Value(3).data, engine.Value(0.5).data
        numbers = [
            math.sqrt(three),
            math.factorial(three),
            math.hypot(three, half),
            complex(three).real,
            divmod(7, int(three)),
        ]
        lists = [
            list(range(three)),
            [0] * three,
            "abcdef"[three],
            [1, 2, 3, 4][:three],
            f"{three:>{three}}",
            hex(three),
        ]
        compared = [three > half, three >= half, three < half, three <= half, three == half, three != half, not half]
        rounded = [round(half, three), round(half), math.floor(half), math.ceil(half), math.trunc(half), int(half)]
        return numbers, lists, compared, rounded, ~three, abs(half), f"{half} {half!r} {[half]}"

    plain, observed = on_both(student, program)

    assert plain == observed


def test_nested_collections_come_as_they_are(student: Student) -> None:
    """A dictionary in a list in a tuple is returned as it is, keys and types included."""
    plain, observed = on_both(student, lambda engine: [engine.THINGS, engine.pair([], {}), {engine.Value(2).data: 1}])

    assert plain == observed


# --------------------------------------------------------------------------------------------------------------------
# Messages


def test_nothing_is_sent_before_a_value_is_needed(sandbox: CountingSandbox, student: Student, engine: Any) -> None:
    """A whole check costs one message, however many values it returns."""
    with sandbox.counting(1):
        a, b = engine.Value(2.0), engine.Value(-3.0)
        c = (a * b + 10.0).tanh() ** 2 - a / b
        c.backward()
        a.data = b.data
        returned = {"c.data": c.data, "grads": [a.grad, b.grad], "label": (c.label, engine.pair(1, 2))}
        assert {"c.data", "grads", "label"} == set(student.recorder.resolve(returned))  # type: ignore[call-overload]  # a dict


def test_what_was_read_comes_with_the_next_message(sandbox: CountingSandbox, engine: Any) -> None:
    """One value that is needed brings all that were read until then; and none is fetched twice."""
    x, y = engine.Value(2.0), engine.Value(3.0)
    numbers = [x.data, x.grad, y.data, y.label]

    with sandbox.counting(1):
        assert 5.0 == float(numbers[0] + numbers[2])
        assert ["2.0", "0.0", "3.0", ""] == [str(number) for number in numbers]
        assert 6.0 == numbers[0] * numbers[2] + numbers[1]


def test_a_training_step_takes_one_message_a_parameter(sandbox: CountingSandbox, engine: Any) -> None:
    """Value and gradient of a parameter that is updated come together, with all that was recorded before."""
    parameters = [engine.Value(float(number)) for number in range(5)]
    with sandbox.counting(len(parameters)):
        for _ in range(1):
            loss = sum(parameter * 2.0 for parameter in parameters)
            loss.backward()
            for parameter in parameters:
                parameter.data -= 0.1 * parameter.grad


def test_what_turns_out_to_be_an_object_is_not_fetched(sandbox: CountingSandbox, engine: Any) -> None:
    """What was read only to get at something else stays inside, however large or deep it is."""
    with sandbox.counting(1):
        assert 0 == len(engine.DEEP[0][0][0][0][0]) - 1
    with sandbox.counting(1):
        layer = engine.MLP(2, [3]).layers[0]
        layer.weights[0].data = 5.0
        layer.weights.append(engine.Value(engine.DEEP))
        layer.weights[-1].data.append(0)
        layer[0] = engine.Value(1.0)
        assert 0.5 == layer.weights[1].data


def test_what_may_change_is_asked_for_again(sandbox: CountingSandbox, engine: Any) -> None:
    """A list is asked for whenever it is used, because the student's code may have changed it."""
    sizes = engine.MLP(2, [3]).sizes
    with sandbox.counting(2):
        assert [2, 3] == sizes
        sizes[0] = 7
        sizes.append(1)
        assert [7, 3, 1] == sizes


def test_very_many_operations_are_sent_in_between(sandbox: CountingSandbox, engine: Any) -> None:
    """After 5,000 operations they are sent without being asked for, so that no check piles them up without end."""
    total = engine.Value(0.0)
    with sandbox.counting(1):
        for _ in range(5_000):
            total = total + 1
    with sandbox.counting(1):
        assert 5_000.0 == total.data


def test_a_case_that_came_to_nothing_is_still_carried_out(student: Student, engine: Any) -> None:
    """What a check asked for and never looked at is carried out in the end, so an exception in it counts."""
    engine.Value(None) + 1

    with pytest.raises(StudentError, match="TypeError: unsupported operand"):
        student.recorder.resolve(None)


# --------------------------------------------------------------------------------------------------------------------
# Objects where numbers should be

USES: dict[str, Callable[[Any], object]] = {
    "float": float,
    "int": int,
    "index": lambda number: [1, 2, 3][number],
    "round": round,
    "format": lambda number: f"{number:.2f}",
    "log": math.log,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "less": lambda number: number < 2,
    "less or equal": lambda number: number <= 2,
    "greater": lambda number: 2 > number,
    "greater or equal": lambda number: 1 >= number,
    "max": lambda number: max(number, 2),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize(("source", "name"), [("lie", "E"), ("disguise", "Disguised"), ("Value", "type")])
def test_an_object_is_no_number(engine: Any, source: str, name: str, use: Callable[[Any], object]) -> None:
    """An object of the student's that passes for a number is told by its type; what it says of itself is not asked."""
    thing = engine.same(getattr(engine, source)() if source != "Value" else engine.Value)

    with pytest.raises(StudentError) as caught:
        use(thing)
    assert f"expected a number, got an object of type {name}" == str(caught.value)


def test_an_object_is_equal_to_itself_alone(engine: Any) -> None:
    """However it compares, an object of the student's equals no number and no other object."""
    lie, other = engine.lie(), engine.lie()

    assert [False, False, True, False] == [lie == 1.0, 1.0 == lie, lie != 1.0, lie == other]
    assert [True, False] == [lie == lie, lie != lie]  # noqa: PLR0124  # that is the question
    assert [True, False] == [lie in [other, lie], lie in [1.0, 42, other]]
    assert hash(lie) == hash(lie)
    assert {lie: 1, other: 2, 42: 3}[lie] == 1


def test_an_object_does_not_agree(student: Student, engine: Any) -> None:
    """Returned from a check, an object is compared as one, wherever it stands."""
    observed = student.recorder.resolve({"a": engine.lie(), "b": [engine.Value(engine.disguise()).data], "c": engine.E})

    assert {"a": Opaque("E"), "b": [Opaque("Disguised")], "c": Opaque("type")} == observed
    told = agree({"a": 1.0, "b": [1.0]}, {"a": Opaque("E"), "b": [Opaque("Disguised")]})
    assert "a: expected a number, got an object of type E" == told.splitlines()[0]


def test_objects_found_in_lists_can_be_used(student: Student, engine: Any) -> None:
    """An object that came inside of a list or a dictionary is as good as any other."""
    one, (two, three) = engine.pair(engine.Value(1.0), [engine.Value(2.0), engine.both(x=engine.Value(3.0))])

    assert isinstance(two, engine.Value)
    assert [3.0, 3.0] == student.recorder.resolve([(one + two).data, three["x"].data])


def test_the_truth_of_an_object_is_its_own(engine: Any) -> None:
    """Whether an object is true, how long it is and how it is shown, its own methods say."""
    layer = engine.MLP(2, [3]).layers[0]

    assert [True, False, True] == [bool(engine.Value(1.0)), bool(engine.Value(0.0)), bool(layer)]
    assert 3 == len(layer)
    assert ["<2.0>", "Value(2.0)"] == [str(engine.Value(2.0)), repr(engine.Value(2.0))]
    assert "<2.0> and Value(2.0)" == f"{engine.Value(2.0)} and {engine.Value(2.0)!r}"
    assert layer[1] not in layer  # not even where it says so itself: the object found there is a new one to the host


def test_an_endless_iterable_ends(engine: Any) -> None:
    """Iterating over a generator that never ends is an error of the student's, not a list that was cut."""
    with pytest.raises(StudentError, match="more than 10000 items"):
        iter(engine.endless())


def test_text_does_not_pass_for_a_number(engine: Any) -> None:
    """Text that reads like a number is none, even where a check asks for a float or an integer."""
    answer = engine.Value("9.0").data

    for convert in (float, int, math.sqrt, lambda number: math.isclose(number, 9.0)):
        with pytest.raises(StudentError, match="expected a number, got text"):
            convert(answer)


# --------------------------------------------------------------------------------------------------------------------
# Whose fault it is


def test_an_exception_is_the_student_s_with_its_place(engine: Any) -> None:
    """An exception inside is a `StudentError` with its type, message and place in the student's file."""
    with pytest.raises(StudentError) as caught:
        float(engine.Value(2.0).scaled(None).data)

    error = caught.value
    assert ("TypeError", "unsupported operand type(s) for *: 'float' and 'NoneType'") == (error.kind, error.message)
    assert ["scaled"] == [frame.function for frame in error.frames]
    number = SOURCE.splitlines().index("        return self._new(self.data * by + plus, self)") + 1
    assert str(error) == f"{error.kind}: {error.message}\n  line {number}, in scaled: {error.frames[0].text}"


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (StudentError("wrong"), "wrong"),
        (StudentError("", kind="KeyError"), "KeyError"),
        (StudentError("x", kind="KeyError", frames=[Frame("", 3, "<module>", "f()"), Frame("", 9, "f", "x")]),
         "KeyError: x\n  line 3: f()\n  line 9, in f: x"),
        (StudentError("bad", kind="SyntaxError", frames=[Frame("", 3, "", "x =")]), "SyntaxError: bad\n  line 3: x ="),
        (StudentError("x", kind="E", frames=[Frame("cell 3", 1, "", "f()"), Frame("loss.py", 2, "f", "f()", 9)]),
         "E: x\n  cell 3, line 1: f()\n  loss.py, line 2, in f: f() (repeated 9 times)"),
    ],
)  # fmt: skip
def test_an_exception_is_shown_as_python_shows_it(error: StudentError, shown: str) -> None:
    """The type, the message, and the lines that it passed through, innermost last."""
    assert shown == str(error)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda engine: engine.nonsense, "NameError: value.py defines no name 'nonsense'"),
        (lambda engine: engine.Value(1.0).nonsense, "AttributeError: 'Value' object has no attribute 'nonsense'"),
        (lambda engine: engine.THINGS["nonsense"], "KeyError: 'nonsense'"),
        (lambda engine: engine.Value(), "TypeError: Value.__init__() missing 1 required positional argument: 'data'"),
        (lambda engine: list(engine.Value(1.0)), "TypeError: 'Value' object is not iterable"),
        (lambda engine: len(engine.Value(1.0)), "TypeError: object of type 'Value' has no len()"),
        (lambda engine: engine.DEEP, "the answer cannot be read: a value nested more than 40 deep"),
        (lambda engine: engine.pair(0, 0) * 30_000, "the answer cannot be read: a value of more than 50000 items"),
        (lambda engine: engine.HUGE * 2**500, "the answer cannot be read: an integer of 16501 bits"),
    ],
)
def test_what_cannot_be_had_is_the_student_s_error(
    student: Student, engine: Any, ask: Callable[[Any], object], told: str
) -> None:
    """A name that is not there, or an answer that is too large to send, is told as it is."""
    with pytest.raises(StudentError) as caught:
        student.recorder.resolve(ask(engine))
    assert told == str(caught.value).splitlines()[0]


@pytest.mark.parametrize("thing", [lambda x: x, print, {1, 2}, b"", object, math, range(3), [{"a": (b"",)}]])
def test_what_cannot_be_passed_is_the_check_s_error(engine: Any, thing: object) -> None:
    """A check that passes a function, or anything else that is neither plain nor the student's, is at fault."""
    with pytest.raises(ExerciseError, match=r"it passes a \w+ to the student's code; pass plain values"):
        engine.Value(thing)
    with pytest.raises(ExerciseError, match="it passes a"):
        engine.Value(1.0).data = thing


def test_a_complex_number_comes_from_the_student(engine: Any) -> None:
    """The root of a wrong, negative number is complex: that is not the check's fault."""
    with pytest.raises(StudentError, match="expected a number, got an object of type complex"):
        engine.Value(engine.Value(-4.0).data ** 0.5)


@pytest.mark.parametrize("value", [1 << MAX_INT_BITS, [0] * 50_000], ids=["integer", "list"])
def test_what_is_too_large_to_pass_is_refused(engine: Any, value: object) -> None:
    """What a check passes is bounded as what it gets is."""
    with pytest.raises(WireError):
        engine.Value(value)


@pytest.mark.parametrize(
    ("answer", "use"),
    [
        (2**60, lambda huge: 3**huge),
        (2**60, lambda huge: huge**huge),
        (2**60, lambda huge: 1 << huge),
        (2**60, lambda huge: huge * "x"),
        (2 ** (MAX_INT_BITS // 2), lambda huge: huge * huge),
        ("x" * 10_000, lambda text: text + text),
        ("x" * 1_000, lambda text: text * 1_000_000),
        ("x" * 1_000, lambda text: 1_000_000 * text),
        ("%9999999999d", lambda text: text % 1),
    ],
)
def test_no_calculation_on_the_host_is_boundless(engine: Any, answer: object, use: Callable[[Any], object]) -> None:
    """What a check calculates with answers is at most as large as an answer may be."""
    with pytest.raises(StudentError, match="numbers become too large"):
        use(engine.Value(answer).data)


def test_the_module_cannot_be_changed(engine: Any) -> None:
    """Assigning to the student's module is the check's error."""
    with pytest.raises(ExerciseError, match=r"it assigns `engine.Value`; the student's module cannot be changed"):
        engine.Value = None


@pytest.mark.parametrize("name", ["__len__", "__array__", "__fspath__", "__wrapped__"])
def test_python_s_own_names_are_not_the_student_s(sandbox: CountingSandbox, engine: Any, name: str) -> None:
    """What Python and its libraries look for on any object is not looked for inside."""
    with sandbox.counting(0):
        assert not hasattr(engine, name)
        assert name == "__len__" or not hasattr(engine.Value, name)


# --------------------------------------------------------------------------------------------------------------------
# The recorder by itself


class Inside:
    """The other side as a script: what it was asked, and what it answers next; lasts as long as its test."""

    def __init__(self, *answers: list[object]) -> None:
        self.asked: list[tuple[list[list[object]], list[int]]] = []
        self._answers = list(answers)

    def apply(self, operations: list[list[object]], wanted: list[int]) -> list[object]:
        """Note what is asked and give the next answer."""
        self.asked.append((operations, wanted))
        return self._answers.pop(0)


def test_operations_are_sent_as_they_were_recorded() -> None:
    """Each operation is its name, the number that its result gets, and its arguments, encoded."""
    inside = Inside([{"r": -1, "o": "Value"}], [{"f": "0x1.8p+0"}])
    recorder = Recorder(inside.apply)
    engine: Any = Engine(recorder)
    x = engine.Value(2.0, label="x")
    x.data = {"a": (1, x)}
    x[0] = [10**20, None]
    del x[-x]

    assert 1.5 == 2 ** x[True]
    assert [
        ["global", 1, "Value"],
        ["call", 2, {"r": 1}, [{"f": "0x1.0000000000000p+1"}], {"d": [["label", "x"]]}],
        ["set", 3, {"r": 2}, "data", {"d": [["a", {"t": [1, {"r": 2}]}]]}],
        ["setitem", 4, {"r": 2}, 0, [{"i": "0x56bc75e2d63100000"}, None]],
        ["neg", 5, {"r": 2}],
        ["delitem", 6, {"r": 2}, {"r": 5}],
        ["getitem", 7, {"r": 2}, True],
    ] == inside.asked[0][0]
    assert [[7], [8]] == [wanted for _, wanted in inside.asked]
    assert ["pow", 8, 2, {"r": 7}] == inside.asked[1][0][0]


@pytest.mark.parametrize(
    "answer",
    [
        {"r": 1},
        {"r": "1", "o": "E"},
        {"r": True, "o": "E"},
        {"r": 1, "o": 1},
        {"r": 1, "o": "E", "x": 1},
        {"x": 1},
        {},
        {"f": "x"},
        {"d": [[{"r": 1, "o": "E"}, 1]]},
        [[[{"i": "-"}]]],
    ],
)
def test_an_answer_that_is_none_is_the_student_s_error(answer: object) -> None:
    """What no honest process would have sent is told, and nothing else is raised."""
    recorder = Recorder(Inside([answer]).apply)

    with pytest.raises(StudentError, match="the answer cannot be read: "):
        float(recorder.record("global", "x"))


def test_a_long_name_of_a_type_is_cut() -> None:
    """A type's name is the student's, so it is bounded."""
    recorder = Recorder(Inside([{"r": -1, "o": "E" * 10_000}]).apply)

    with pytest.raises(StudentError, match=f"type {'E' * 100}$"):
        float(recorder.record("global", "x"))


def test_what_was_recorded_is_forgotten_with_its_case() -> None:
    """A new case starts with nothing to send and nothing to show."""
    inside = Inside([])
    recorder = Recorder(inside.apply)
    recorder.read("get", recorder.record("global", "x"), "data")
    assert ["global", "get"] == [operation.name for operation in recorder.history]

    recorder.forget()

    assert [] == recorder.history
    assert "kept" == recorder.resolve("kept")
    assert [] == inside.asked


def test_stand_ins_are_visited_wherever_they_stand() -> None:
    """Those in lists, tuples and the values of dictionaries are found, in order."""
    recorder = Recorder(Inside().apply)
    made = [recorder.record("global", name) for name in "abcd"]
    seen: list[StandIn] = []
    each_stand_in([made[0], {"k": (made[1], 1.5)}, [[made[2]]], made[3], None], seen.append)

    assert [number_of(stand_in) for stand_in in made] == [number_of(stand_in) for stand_in in seen]


def test_deep_arguments_are_refused() -> None:
    """An argument that is nested too deep is refused before it is recorded."""
    recorder = Recorder(Inside().apply)
    value: object = 0
    for _ in range(MAX_DEPTH + 1):
        value = [value]

    with pytest.raises(WireError):
        recorder.record("call", recorder.record("global", "f"), [value], {})
    assert 1 == len(recorder.history)
