"""Packages in C whose classes show what they hold: what the audit must leave alone."""

from __future__ import annotations

from .table import carrying, package, returning


@package
def containers():
    import cytoolz
    import frozenlist
    import immutables
    import multidict

    yield "map", lambda o: immutables.Map(a=o)
    yield "mutation", lambda o: immutables.Map(a=o).mutate()
    yield "large map", lambda o: immutables.Map({n: o for n in range(100)})
    yield "multidict", lambda o: multidict.MultiDict(a=o)
    yield "multidict, items", lambda o: multidict.MultiDict(a=o).items()
    yield "proxy", lambda o: multidict.MultiDictProxy(multidict.MultiDict(a=o))
    yield "frozen list", lambda o: frozenlist.FrozenList([o])
    yield "curry", lambda o: cytoolz.curry(returning(o), 1)
    yield "compose", lambda o: cytoolz.compose(returning(o), str)
    yield "partition", lambda o: cytoolz.partition(2, [o, o, o])


@package
def proxies():
    import lazy_object_proxy
    import wrapt

    def resolved(o):
        proxy = lazy_object_proxy.Proxy(lambda: [o])
        len(proxy)
        return (proxy,)

    yield "wrapt", lambda o: wrapt.FunctionWrapper(returning(o), returning(o))
    yield "wrapt, bound", lambda o: wrapt.BoundFunctionWrapper(returning(o), None, returning(o), (), "function", None)
    yield "lazy", resolved


@package
def persistent():
    import persistent
    import persistent.mapping
    from zope.interface import Interface
    from zope.interface.adapter import AdapterRegistry

    def registry(o):
        registry = AdapterRegistry()
        registry.register([], Interface, "a", o)
        return registry

    yield "object", lambda o: carrying(o, persistent.Persistent)
    yield "mapping", lambda o: persistent.mapping.PersistentMapping({1: o})
    yield "cache", lambda o: persistent.PickleCache(carrying(o, object, setstate=returning(o)), 10)
    yield "registry", registry


@package
def cffi():
    import cffi

    ffi = cffi.FFI()
    yield "handle", lambda o: (ffi.new_handle(o),)
    yield "destructor", lambda o: (ffi.gc(ffi.new("int *"), returning(o)),)
    yield "callback", lambda o: (ffi.callback("int(int)", returning(o, 1)),)
    yield "buffer", lambda o: (ffi.from_buffer(carrying(o, bytearray, b"abc")),)
    yield "plain", lambda o: (ffi.new("int[10]"),)


@package
def cbor2():
    import io

    import cbor2

    yield "encoder", lambda o: cbor2.CBOREncoder(carrying(o, io.BytesIO))
    yield "decoder", lambda o: cbor2.CBORDecoder(carrying(o, io.BytesIO, b"\x01"))
    yield "tag", lambda o: cbor2.CBORTag(1, o)


@package
def gevent():
    import gevent
    import gevent.event
    import gevent.local
    import gevent.queue

    def local(o):
        local = gevent.local.local()
        local.a = o
        return local

    def queue(o):
        queue = gevent.queue.Queue()
        queue.put(o)
        return queue

    def event(o):
        event = gevent.event.AsyncResult()
        event.set(o)
        return event

    yield "local", local
    yield "queue", queue
    yield "event", event
    yield "greenlet", lambda o: gevent.Greenlet(returning(o))


@package
def zmq():
    import zmq

    yield "frame", lambda o: zmq.Frame(carrying(o, bytes, b"abc"))
    yield "frame of a buffer", lambda o: zmq.Frame(carrying(o, bytearray, b"x" * 100_000), copy=False)
    yield "plain frame", lambda o: zmq.Frame(b"abc")
