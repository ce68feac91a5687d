"""Plain functions as machine code: how Numba compiles them, and with less to do than it would by itself.

Importing this imports Numba; nothing is compiled before a loop is first run.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate, infer, infer_getattr, infer_global, make_overload_template
from numba.extending import (
    NativeValue,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from numba.np import arrayobj

from gamesmaster.engine.groups import each_column
from gamesmaster.files import alone

INLINED: dict[str, dict[str, Any]] = {
    "solve": {"forceinline": True, "_nrt": True},
    "untie": {"forceinline": False},
    "comes": {"forceinline": False},
    "on_minimal_chain": {"forceinline": False},
}
"""Options for Numba by function, valid for all functions that it calls in turn; only `solve` allocates memory.

Inlined calls make a loop over a batch four times as fast; inlining the rarely needed ones too would double the time of
compiling.
"""

CALLED: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Options of all machine code here: without them Numba would also make each function callable from C."""

_CALLABLE = {"no_cpython_wrapper": True, "nopython": True, **CALLED}
"""Options of functions that only machine code calls."""

NO_MEMORY: dict[str, Any] = {"_nrt": False}
"""Options of what takes and gives back no memory: it counts no references to arrays.

It is compiled in half the time; and where arrays are handed on by the dozen, as plans are, it is three times as fast.
"""


def to_code(
    loop: Callable[..., None],
    modules: Sequence[ModuleType],
    others: Sequence[ModuleType] = (),
    *,
    wraps: bool = True,
    **options: Any,
) -> Callable[..., None]:
    """Return a loop as machine code, which may call the functions of these modules.

    Negative indices count from the end, unless nothing `wraps`: where none is negative, it need not be asked each time.
    It is compiled when it is first run, by one process while others wait for it, and then kept on disk until one of
    their sources changes, or one of the others, whose constants it uses.
    """
    for module in modules:
        registered(module)
    loop.__qualname__ = name_on_disk("".join(map(inspect.getsource, (*modules, *others))), loop.__name__)
    code: Any = numba.njit(nogil=True, cache=True, **CALLED, **options)(loop)
    code.compile = partial(_compile_alone, code.compile, Path(code._cache.cache_path, loop.__qualname__))
    if not MISSING:  # pragma: no branch
        code._compiler.compile = partial(_compile_whole, code._compiler.compile, loop.__qualname__, wraps)
    return code  # type: ignore[no-any-return]


def entry_of(loop: Any, place: int, columns: Any) -> Callable[..., None]:
    """Return the compiled entry point of a loop for the type of `columns`, its argument number `place`.

    Return the loop itself if it has been compiled for another type or for several. All other arguments must always have
    the same types: they are not checked again, since that takes as long as many a call.
    """
    known = getattr(loop, "overloads", {})
    for types_known, compiled in known.items() if len(known) == 1 else ():
        kind = types_known[place]
        if kind is columns.held if isinstance(columns, Laid) else not isinstance(kind, Held):
            return compiled.entry_point  # type: ignore[no-any-return]
    return loop  # type: ignore[no-any-return]


@cache
def registered(module: ModuleType) -> None:
    """Make the functions of a module callable from machine code."""
    for function in functions_of(module):
        register(function, **INLINED.get(function.__name__, {}))


def register(function: Callable[..., Any], **options: Any) -> None:
    """Make a function callable from machine code, compiled only once for whole numbers of any width."""
    made = make_overload_template(function, lambda *_, **__: function, {**_CALLABLE, **options}, False, "never")

    class Widening(made):  # type: ignore[misc, valid-type]
        def _get_impl(self, given: Sequence[Any], named: Any) -> Any:
            return super()._get_impl(tuple(map(_widened, given)), named)

    infer(Widening)
    infer_global(function, types.Function(Widening))


def _widened(kind: Any) -> Any:
    return types.int64 if isinstance(kind, types.Integer) else kind


def modules_called(loop: Callable[..., Any]) -> list[ModuleType]:
    """Return the modules of the functions that a loop calls, directly or not, except this module."""
    calls: dict[Callable[..., Any], None] = {}
    ahead: list[Any] = [loop]
    while ahead:
        caller = ahead.pop()
        calls[caller] = None
        values = [caller.__globals__.get(name) for name in caller.__code__.co_names]
        values += [cell.cell_contents for cell in caller.__closure__ or ()]
        ahead += [f for f in values if inspect.isfunction(f) and f.__module__ != __name__ and f not in calls]
    del calls[loop]
    return sorted({sys.modules[f.__module__] for f in calls}, key=lambda module: module.__name__)


def name_on_disk(source: str, loop: str = "solve_all") -> str:
    """Return the name under which a loop's machine code is cached, given the source of the functions that it calls.

    Numba discards cached code when the file of the compiled function itself has changed. The functions called are in
    other files, so the hash of these becomes part of the name.
    """
    return f"{loop}_{hashlib.sha256(source.encode()).hexdigest()[:16]}"


def functions_of(module: ModuleType) -> list[Callable[..., Any]]:
    """Return the functions that a module defines."""
    return [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]


# -- a loop with all that it calls in one go -------------------------------------------------------------------------

MISSING = {
    "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals", "_verify_declare_only_symbols",
    "_ensure_finalized",
} - {*dir(JITCodeLibrary)}  # fmt: skip
"""Names that `Part` needs and the installed Numba lacks; if there are any, loops are compiled in Numba's slower way."""


class Part(JITCodeLibrary):
    """A function that a loop calls: machine code is made of it as a part of that loop, and not before.

    Numba would do so for each function by itself as well, with all that this calls in turn, which is a third of its
    work and never run, and it would be optimised again with each function that calls it.  Such a function can still be
    called on its own.
    """

    alone = False

    @property
    def codegen(self) -> Any:
        """Return the code generator of a part. Parts are only read, so there is nothing to set."""
        return super().codegen if self.alone else _Nowhere

    def get_pointer_to_function(self, name: str) -> Any:
        """Return the address of a function's code, 0 if the name is unknown."""
        self._ensure_finalized()
        if not self.alone and any(f.name == name and not f.is_declaration for f in self._final_module.functions):
            self.alone = True
            JITCodeLibrary._optimize_final_module(self)
            JITCodeLibrary._finalize_final_module(self)
        return super().get_pointer_to_function(name) if self.alone else 0

    def _optimize_final_module(self) -> None:
        """Leave it to the loop."""

    def _finalize_final_module(self) -> None:
        """Finalize this code as it is, so that other code can link it."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class Whole(JITCodeLibrary):
    """A loop with all its parts.

    What Python calls, which takes the columns out of Python's objects, is left as it stands: to optimise that would
    take longer than many a loop, and it runs once for thousands of games.
    """

    def add_ir_module(self, ir_module: Any) -> None:
        """Add functions: the loop, or what Python calls."""
        for function in ir_module.functions:
            if function.name.startswith("_ZN7cpython"):
                function.attributes.add("noinline")
                function.attributes.add("optnone")
        super().add_ir_module(ir_module)


class _Nowhere:
    @staticmethod
    def set_env(name: str, environment: object) -> None:
        """Set nothing: code that was cached on disk has no place for a function's constants of exceptions."""


def _compile_alone(compile_loop: Callable[[Any], Any], file: Path, signature: Any) -> Any:
    """Compile the loop that is kept in this file, or take it from there if another process has just put it there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with alone(file, "this machine code", wait=math.inf):
        return compile_loop(signature)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for garbage in circles less often: the compiler makes millions of objects, and hardly any of that.

    It is called under Numba's lock: threads that change the thresholds together would not find the usual ones again.
    """
    usual = gc.get_threshold()
    gc.set_threshold(1_000_000, 100, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@global_compiler_lock
def _compile_whole(compile_loop: Callable[..., Any], name: str, wraps: bool, *arguments: Any) -> Any:
    """Compile the loop of this name; all else that is compiled meanwhile is a part of it."""
    codegen = cpu_target.target_context.codegen()
    codegen._library_class = lambda codegen, made: (Whole if made == name else Part)(codegen, made)
    wrapped = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = wrapped if wraps else _as_it_is
    try:
        with _rare_collections():
            return compile_loop(*arguments)
    finally:
        arrayobj.fix_integer_index = wrapped
        del codegen._library_class


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:  # pragma: no cover  (untraced)
    """Return an index that is not negative, where Numba would see whether it is."""
    return context.cast(builder, index, kind, types.intp)


# -- columns that are handed on --------------------------------------------------------------------------------------


class Held(types.Type):
    """Columns that lie in memory while functions that they are handed to read them.

    Numba hands columns on one by one, each as seven numbers: with dozens of columns the handing on is most of what the
    compiler has to do.  A pointer to them is one number.
    """

    def __init__(self, columns: Any) -> None:
        self.dtype = columns
        super().__init__(f"Held({columns})")


register_model(Held)(models.PointerModel)


def held(columns: Any) -> Any:
    """Store a NamedTuple of columns where functions that receive its address can read it; return it.

    It stays there until the calling function returns, or calls this again at the same line. An empty tuple, (), needs
    no storage.
    """
    return columns


class Laid:
    """Columns laid down in memory, a NamedTuple of arrays that all lie in one piece, for loops that take the pointer.

    To unpack a hundred arrays would be most of the code of a short loop.
    """

    def __init__(self, columns: Any) -> None:
        arrays = [*each_column(columns)]
        self.columns, key = columns, (type(columns), *[(array.dtype.num, array.ndim) for array in arrays])
        self.held = _HELD.get(key) or _HELD.setdefault(key, Held(numba.typeof(columns)))
        words = ((0, 0, a.size, a.itemsize, a.ctypes.data, *a.shape, *a.strides) for a in arrays)
        self.words = np.array([*chain(*words)], np.intp)  # as Numba lays an array down: without an owner
        self.address = self.words.ctypes.data

    def __reduce__(self) -> tuple[type[Laid], tuple[Any, ...]]:
        """Pickle the columns alone: a copy stores them at its own addresses."""
        return Laid, (self.columns,)


_HELD: dict[tuple[Any, ...], Held] = {}
"""The types of columns: to ask Numba for one takes longer than all else."""


def laid(columns: Any) -> Any:
    """Return `columns` in the form that loops over many take: `Laid`, or () for an empty tuple."""
    return Laid(columns) if columns else columns


@typeof_impl.register(Laid)
def _type_of_laid(value: Laid, context: object) -> Held:
    return value.held


@unbox(Held)
def _take_address(kind: Any, value: Any, context: Any) -> Any:
    address = context.pyapi.object_getattr_string(value, "address")
    pointer = context.builder.inttoptr(context.pyapi.number_as_ssize_t(address), context.context.get_value_type(kind))
    context.pyapi.decref(address)
    return NativeValue(pointer)


@type_callable(held)
def _type_of_held(context: Any) -> Callable[[Any], Any]:
    return lambda columns: Held(columns) if isinstance(columns, types.BaseNamedTuple) else columns


@lower_builtin(held, types.BaseNamedTuple)
def _lay_down(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    (columns,) = signature.args
    pointer = cgutils.alloca_once(builder, context.get_data_type(columns))
    context.pack_value(builder, columns, arguments[0], pointer)
    return pointer


@lower_builtin(held, Held)
def _copy(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Copy a column from elsewhere to the stack: the compiler knows that nobody else changes what is there."""
    (kind,) = signature.args
    pointer = cgutils.alloca_once(builder, context.get_data_type(kind.dtype))
    builder.store(builder.load(arguments[0]), pointer)
    return pointer


@lower_builtin(held, types.Tuple)
def _leave(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return arguments[0]


@infer_getattr
class _HeldColumns(AttributeTemplate):
    """The columns of what is held have the names that they have in its NamedTuple."""

    key = Held

    def generic_resolve(self, held: Any, name: str) -> Any:  # type: ignore[override]
        """Return the type of a column; a group of columns is held where it lies among the others."""
        if name not in held.dtype.fields:
            return None
        found = held.dtype.types[held.dtype.fields.index(name)]
        return Held(found) if isinstance(found, types.BaseNamedTuple) else found


@lower_getattr_generic(Held)
def _read_column(context: Any, builder: Any, held: Any, pointer: Any, name: str) -> Any:
    place = held.dtype.fields.index(name)
    at, kind = cgutils.gep_inbounds(builder, pointer, 0, place), held.dtype.types[place]
    return at if isinstance(kind, types.BaseNamedTuple) else context.unpack_value(builder, kind, at)
