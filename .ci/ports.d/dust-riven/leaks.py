import asyncio

from dust_riven import Signal
from shapes import leak


def connected(way, *arguments):
    def make(thing):
        signal = Signal("changed")
        getattr(signal, way)(lambda: thing, *arguments)
        return signal

    return make


leak("Signal.connect", connected("connect"))
leak("Signal.connect_once", connected("connect_once"))
leak("Signal.connect_finite", connected("connect_finite", 3))
leak("Signal.on_error", connected("on_error"))


def several(thing):
    """More callbacks than the signal has room for in place."""
    signal = Signal()
    for _ in range(9):
        signal.connect(lambda: thing)
    return signal


leak("Signal, nine callbacks", several)
leak("SignalConnection", lambda thing: Signal().connected(lambda: thing))


def emitted(thing):
    """A signal that holds what `emit_async` is carried out with, too."""
    signal = Signal()

    async def callback():
        return thing

    async def emit():
        await signal.emit_async()

    signal.connect(callback)
    asyncio.run(emit())
    return signal


leak("Signal, after emit_async", emitted)
