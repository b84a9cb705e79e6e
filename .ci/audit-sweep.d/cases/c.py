"""Packages that are written in C and C++."""

from __future__ import annotations

import io

from .table import carrying, package, returning


@package
def zstandard():
    import zstandard

    def source(o):
        return carrying(o, io.BytesIO, b"x" * 100)

    yield "reader", lambda o: zstandard.ZstdCompressor().stream_reader(source(o))
    yield "decompressing reader", lambda o: zstandard.ZstdDecompressor().stream_reader(source(o))
    yield "writer", lambda o: zstandard.ZstdCompressor().stream_writer(source(o), closefd=False)
    yield "decompressing writer", lambda o: zstandard.ZstdDecompressor().stream_writer(source(o), closefd=False)
    yield "iterator", lambda o: zstandard.ZstdCompressor().read_to_iter(source(o))
    yield "plain", lambda o: zstandard.ZstdCompressor()
    yield "plain reader", lambda o: zstandard.ZstdCompressor().stream_reader(b"x" * 100)


@package
def numpy():
    import numpy

    def array(o, shape=3):
        array = numpy.zeros(shape, dtype=object)
        array[...] = o
        return array

    yield "array", array
    yield "large array", lambda o: array(o, 2000)
    yield "view", lambda o: array(o, (3, 3))[1]
    yield "flat", lambda o: array(o).flat
    yield "broadcast", lambda o: numpy.broadcast(array(o), array(1, (2, 3)))
    yield "nditer", lambda o: numpy.nditer(array(o), flags=["refs_ok"])
    yield "record", lambda o: numpy.array([(1, o)], dtype=[("a", int), ("b", object)])
    yield "buffer", lambda o: numpy.frombuffer(carrying(o, bytearray, b"x" * 16), dtype=numpy.uint8)
    yield "function", lambda o: numpy.frompyfunc(returning(o, 1), 1, 1)
    yield "of numbers", lambda o: numpy.arange(1000)
    yield "iterator of numbers", lambda o: numpy.nditer(numpy.arange(10))
    yield "type", lambda o: numpy.dtype([("a", int), ("b", "f8")])


@package
def pandas():
    import pandas
    from pandas._libs import hashtable

    def table(o):
        table = hashtable.PyObjectHashTable()
        table.set_item(o, 1)
        return table

    yield "table", table
    yield "plain table", lambda o: hashtable.Int64HashTable()
    yield "series", lambda o: pandas.Series([1, 2, 3])


@package
def bitarray():
    import bitarray

    yield "buffer", lambda o: bitarray.bitarray(buffer=carrying(o, bytearray, b"abc"))
    yield "iterator", lambda o: iter(bitarray.bitarray(buffer=carrying(o, bytearray, b"abc")))
    yield "search", lambda o: bitarray.bitarray(buffer=carrying(o, bytearray, b"abc")).search(bitarray.bitarray("1"))
    yield "plain", lambda o: bitarray.bitarray("1010")
    yield "plain iterator", lambda o: iter(bitarray.bitarray("1010"))


@package
def lru():
    import lru

    def filled(o):
        cache = lru.LRU(4)
        cache[1] = o
        return cache

    def emptied(o):
        cache = filled(o)
        cache.clear()
        return cache

    yield "cache", filled
    yield "callback", lambda o: lru.LRU(4, callback=returning(o))
    yield "emptied", emptied
    yield "plain", lambda o: lru.LRU(4)


@package
def msgpack():
    import msgpack

    yield "packer", lambda o: msgpack.Packer(default=returning(o))
    yield "unpacker", lambda o: msgpack.Unpacker(object_hook=returning(o))
    yield "unpacker of a file", lambda o: msgpack.Unpacker(carrying(o, io.BytesIO, b"\x01"))
    yield "plain packer", lambda o: msgpack.Packer()

    def used(o):
        packer = msgpack.Packer(autoreset=False)
        packer.pack({"a": [1, 2, 3]})
        return packer

    yield "used packer", used


@package
def msgspec():
    import msgspec

    yield "encoder", lambda o: msgspec.json.Encoder(enc_hook=returning(o))
    yield "decoder", lambda o: msgspec.json.Decoder(dec_hook=returning(o))
    yield "packing encoder", lambda o: msgspec.msgpack.Encoder(enc_hook=returning(o))
    yield "raw", lambda o: msgspec.Raw(carrying(o, bytes, b"1"))
    yield "meta", lambda o: msgspec.Meta(extra={"a": o})
    yield "extension", lambda o: msgspec.msgpack.Ext(1, carrying(o, bytes, b"1"))
    yield "plain encoder", lambda o: msgspec.json.Encoder()


@package
def regex():
    import regex

    yield "match", lambda o: regex.match("a", carrying(o, str, "abc"))
    yield "scanner", lambda o: regex.compile("a").scanner(carrying(o, str, "abc"))
    yield "iterator", lambda o: regex.finditer("a", carrying(o, str, "abc"))
    yield "splitter", lambda o: regex.splititer("b", carrying(o, str, "abc"))
    yield "plain match", lambda o: regex.match("a", "abc")
    yield "pattern", lambda o: regex.compile("a+b")


@package
def lxml():
    from lxml import etree

    yield "parser with a target", lambda o: etree.XMLParser(target=carrying(o, object, start=returning(o), close=returning(o)))
    yield "expression", lambda o: etree.XPath("f(.)", extensions={(None, "f"): returning(o)})
    yield "pull parser", lambda o: carrying(o, etree.XMLPullParser)
    yield "element", lambda o: etree.fromstring("<a><b/></a>")
    yield "tree", lambda o: etree.ElementTree(etree.fromstring("<a/>"))


@package
def pikepdf():
    import pikepdf

    pdf = io.BytesIO()
    new = pikepdf.new()
    new.add_blank_page()
    new.save(pdf)
    yield "stream", lambda o: pikepdf.open(carrying(o, io.BytesIO, pdf.getvalue()))
    yield "plain", lambda o: pikepdf.new()
    yield "dictionary", lambda o: pikepdf.Dictionary(A=1)


@package
def pyarrow():
    import pyarrow

    yield "buffer", lambda o: pyarrow.py_buffer(carrying(o, bytearray, b"abc"))
    yield "base of a buffer", lambda o: pyarrow.foreign_buffer(id(o), 8, base=o)
    yield "file", lambda o: pyarrow.PythonFile(carrying(o, io.BytesIO, b"abc"), mode="r")
    yield "array", lambda o: pyarrow.array([1, 2, 3])
    yield "table", lambda o: pyarrow.table({"a": [1, 2]})
    yield "schema", lambda o: pyarrow.schema([("a", pyarrow.int64())])


@package
def igraph():
    import igraph

    def graph(o):
        graph = igraph.GraphBase(3, [(0, 1)])
        graph["a"] = o
        return graph

    yield "graph", graph
    yield "plain", lambda o: igraph.GraphBase(3, [(0, 1)])


@package
def pycurl():
    import pycurl

    def curl(o, option=pycurl.WRITEFUNCTION):
        curl = pycurl.Curl()
        curl.setopt(option, returning(o))
        return curl

    yield "writer", curl
    yield "header", lambda o: curl(o, pycurl.HEADERFUNCTION)
    yield "plain", lambda o: pycurl.Curl()
    yield "share", lambda o: pycurl.CurlShare()


@package
def apsw():
    import apsw

    def connection(o, hook=None):
        connection = apsw.Connection(":memory:")
        if hook:
            getattr(connection, hook)(returning(o))
        return connection

    def function(o):
        made = connection(o)
        made.create_scalar_function("f", returning(o))
        return made

    yield "busy handler", lambda o: connection(o, "set_busy_handler")
    yield "commit hook", lambda o: connection(o, "set_commit_hook")
    yield "function", function
    yield "plain", connection
    yield "cursor", lambda o: connection(o).cursor()
