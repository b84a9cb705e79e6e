"""What reads and writes: text, tables, archives, documents, with hooks, and with errors that are kept."""
import io

import bitarray
import cbor2
import msgpack
import msgspec
import orjson
import pikepdf
import pyarrow
import regex
import zstandard
from lxml import etree

packed = zstandard.ZstdCompressor().compress(orjson.dumps({"a": [1, 2]}))
kept = [zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed)), regex.finditer("a", "aba")]
kept += [msgpack.Packer(default=repr), msgpack.Unpacker(object_hook=dict), msgspec.json.Decoder(dec_hook=print)]
kept += [cbor2.loads(cbor2.dumps({"a": [1, None]})), bitarray.bitarray("101"), pikepdf.new(), next(kept[1])]
kept += [pyarrow.table({"a": [1, 2], "b": ["x", None]}), pyarrow.py_buffer(bytearray(10))]
tree = etree.fromstring("<a><b c='1'/>text<d/></a>")
kept += [tree, tree.iter(), tree.xpath("//b"), etree.XSLT(etree.XML(
    '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>')), etree.iterparse(io.BytesIO(b"<a/>"))]
for function, argument in ((orjson.loads, "{"), (etree.fromstring, "<"), (msgspec.json.decode, b"["), (regex.compile, "(")):
    try:
        function(argument)
    except Exception as error:
        kept.append(error)
