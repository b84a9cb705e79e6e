"""Uses the larger modules of the standard library, and keeps what they made."""

import asyncio
import collections
import contextvars
import csv
import ctypes
import dataclasses
import datetime
import decimal
import email.message
import email.policy
import enum
import fractions
import functools
import heapq
import inspect
import io
import itertools
import json
import logging
import multiprocessing
import operator
import pickle
import queue
import random
import re
import socket
import sqlite3
import ssl
import struct
import tempfile
import threading
import typing
import unittest
import unittest.mock
import weakref
import xml.dom.minidom
import xml.etree.ElementTree as etree
import zipfile
from concurrent.futures import ThreadPoolExecutor

kept: list[object] = []


def double(number: int) -> int:
    return 2 * number


async def main() -> None:
    async def produce(channel: "asyncio.Queue[int]") -> None:
        for number in range(10):
            await channel.put(number)
            await asyncio.sleep(0)

    async def numbers() -> typing.AsyncIterator[int]:
        for number in range(3):
            yield number

    channel: "asyncio.Queue[int]" = asyncio.Queue()
    tasks = [asyncio.create_task(produce(channel)) for _ in range(3)]
    await asyncio.gather(*tasks)
    suspended = numbers()
    kept.extend([channel, tasks, suspended, await suspended.__anext__(), asyncio.Event(), asyncio.Lock()])
    with_timeout = asyncio.wait_for(asyncio.sleep(0), 1)
    await with_timeout


def use_asyncio() -> None:
    loop = asyncio.new_event_loop()
    loop.run_until_complete(main())
    loop.close()
    kept.append(loop)


def use_threads_and_processes() -> None:
    with ThreadPoolExecutor(2) as pool:
        kept.append([pool.submit(double, number) for number in range(10)])
    with multiprocessing.get_context("spawn").Pool(1) as processes:
        assert processes.map(double, range(3)) == [0, 2, 4]
    local = threading.local()
    local.value = {}
    kept.extend([local, queue.Queue(), queue.SimpleQueue(), threading.RLock(), threading.Condition()])


def use_data() -> None:
    with decimal.localcontext() as context:
        kept.extend([context, decimal.Decimal(1) / 3, fractions.Fraction(1, 3), datetime.datetime.now()])
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.create_function("double", 1, double)
    database.execute("create table t (x)")
    database.executemany("insert into t values (?)", [(number,) for number in range(10)])
    cursor = database.execute("select x, double(x) from t")
    kept.extend([database, cursor, cursor.fetchone(), cursor.fetchmany(3)])
    kept.append(pickle.loads(pickle.dumps({"a": [decimal.Decimal(1), collections.Counter("abc")]})))
    kept.append(json.loads(json.dumps({"a": [1, None, {"b": 2.5}]})))
    kept.append([*csv.DictReader(io.StringIO("a,b\n1,2\n"))])
    kept.append([struct.Struct("<qd"), random.Random(1), heapq.nsmallest(2, [3, 1, 2])])
    with tempfile.TemporaryFile() as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", "b")
        kept.append(archive.infolist())


def use_text() -> None:
    root = etree.fromstring("<a x='1'><b>c</b><b/></a>")
    kept.extend([root, root.iter("b"), [*root.iterfind("b")], etree.iterparse(io.BytesIO(b"<a/>"))])
    kept.append(xml.dom.minidom.parseString("<a><b/></a>"))
    message = email.message.EmailMessage(email.policy.default)
    message["Subject"], message["To"] = "Hello", "a@example.org"
    message.set_content("text")
    message.add_attachment(b"data", maintype="application", subtype="octet-stream")
    kept.extend([message, email.message_from_bytes(message.as_bytes(), policy=email.policy.default)])
    kept.extend([re.compile("(?P<a>.)"), re.match("(.)", "a"), re.finditer(".", "abc"), logging.getLogger("a")])


def use_network() -> None:
    context = ssl.create_default_context()
    ours, theirs = socket.socketpair()
    connection = context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="example.org")
    kept.extend([context, connection, connection.context])
    kept.extend([ours.makefile("rb"), theirs])
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.sni_callback = lambda *_: kept.append(server)
    kept.append(server)
    ours.close()
    theirs.close()


T = typing.TypeVar("T")


class Base(typing.Generic[T]):
    __slots__ = ("__weakref__", "a", "b")

    def method(self) -> "Base[T]":
        return self


class Protocol(typing.Protocol):
    attribute: typing.Optional[int]


@dataclasses.dataclass
class Data:
    number: int
    other: "typing.Optional[Data]" = None


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Tests(unittest.TestCase):
    def test(self) -> None:
        with self.assertRaises(ZeroDivisionError) as raised:
            1 / 0
        kept.append(raised)
        with unittest.mock.patch("json.dumps") as dumps:
            json.dumps(1)
            dumps.assert_called_once_with(1)
            kept.append(dumps)

    @unittest.expectedFailure
    def test_failing(self) -> None:
        kept.append(self)
        self.assertEqual([1], [2])


def use_the_language() -> None:
    base: "Base[int]" = Base()
    base.a = base  # type: ignore[attr-defined]
    data = Data(1)
    data.other = data
    kept.extend([base, Base[int], typing.Union[int, list[str]], typing.get_type_hints(Data), data, base.method])
    kept.extend([weakref.ref(base), weakref.WeakKeyDictionary({base: 1}), weakref.proxy(base)])
    kept.extend([functools.partial(double, 1), functools.lru_cache(double), functools.cmp_to_key(double)])  # type: ignore[arg-type]
    kept.extend([itertools.tee([1, 2]), itertools.groupby([1, 1, 2]), itertools.chain([1]), itertools.count()])
    kept.extend([operator.attrgetter("a"), operator.itemgetter(1), collections.deque([base]), Colour.RED])
    kept.extend([collections.OrderedDict(a=base), collections.defaultdict(list), inspect.signature(double)])
    kept.extend([contextvars.copy_context(), contextvars.ContextVar("a", default=base), inspect.currentframe()])
    kept.extend([ctypes.CFUNCTYPE(None)(print), ctypes.pointer(ctypes.c_int(1)), memoryview(b"a"), super(Base, base)])
    generator = (base for _ in range(2))
    next(generator)
    kept.append(generator)
    runner = unittest.TextTestRunner(stream=io.StringIO())
    result = runner.run(unittest.defaultTestLoader.loadTestsFromTestCase(Tests))
    assert result.wasSuccessful() and len(result.expectedFailures) == 1
    kept.append(result)


if __name__ == "__main__":
    use_asyncio()
    use_threads_and_processes()
    use_data()
    use_text()
    use_network()
    use_the_language()
    print("standard_library done")
