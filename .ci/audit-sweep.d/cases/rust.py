"""Packages that are written in Rust."""

from __future__ import annotations

from .table import carrying, package, returning


@package
def rpds():
    import rpds

    yield "map", lambda o: rpds.HashTrieMap({1: o})
    yield "map, key", lambda o: rpds.HashTrieMap({o: 1})
    yield "set", lambda o: rpds.HashTrieSet([o])
    yield "list", lambda o: rpds.List([o])
    yield "queue", lambda o: rpds.Queue([o])
    yield "stack", lambda o: rpds.Stack([o]) if hasattr(rpds, "Stack") else rpds.List([1, o])
    yield "values", lambda o: rpds.HashTrieMap({1: o}).values()
    yield "items", lambda o: rpds.HashTrieMap({1: o}).items()
    yield "iterator", lambda o: iter(rpds.List([o, o]))
    yield "rest", lambda o: rpds.List([1, o]).rest
    yield "two handles", lambda o: (m := rpds.HashTrieMap({1: o}), m.insert(2, 3))
    yield "of numbers", lambda o: rpds.HashTrieMap({n: n for n in range(50)})


@package
def cachebox():
    import cachebox

    for name in ("Cache", "FIFOCache", "LRUCache", "LFUCache", "RRCache"):
        kind = getattr(cachebox, name)

        def filled(o, kind=kind):
            cache = kind(4)
            cache[1] = o
            return cache

        def emptied(o, filled=filled):
            cache = filled(o)
            cache.clear()
            return cache

        yield name, filled
        yield f"{name}, emptied", emptied
        yield f"{name}, items", lambda o, filled=filled: filled(o).items()


@package
def biscuit():
    import biscuit_auth

    def builder(o):
        builder = biscuit_auth.AuthorizerBuilder("allow if true")
        builder.register_extern_func("f", returning(o, True))
        return builder

    token = biscuit_auth.BiscuitBuilder('user("a")').build(biscuit_auth.KeyPair().private_key)
    yield "builder", builder
    yield "authorizer", lambda o: builder(o).build(token)
    yield "plain builder", lambda o: biscuit_auth.AuthorizerBuilder("allow if true")


@package
def tokenizers():
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    def custom(kind, method):
        return lambda o: kind.custom(carrying(o, object, **{method: lambda *_: None}))

    yield "pre-tokenizer", custom(pre_tokenizers.PreTokenizer, "pre_tokenize")
    yield "normalizer", custom(normalizers.Normalizer, "normalize")
    yield "decoder", custom(decoders.Decoder, "decode_chain")

    def tokenizer(o, part=True):
        made = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
        if part:
            made.normalizer = normalizers.Normalizer.custom(carrying(o, object, normalize=lambda *_: None))
        return made

    yield "tokenizer", tokenizer
    yield "plain tokenizer", lambda o: tokenizer(o, False)
    yield "plain sequence", lambda o: pre_tokenizers.Sequence([pre_tokenizers.Whitespace()])


@package
def rustworkx():
    import rustworkx

    def graph(o, kind=rustworkx.PyDiGraph):
        graph = kind()
        first, second = graph.add_node(o), graph.add_node(2)
        graph.add_edge(first, second, o)
        return graph

    yield "graph", lambda o: graph(o, rustworkx.PyGraph)
    yield "directed graph", graph
    yield "edges", lambda o: graph(o).weighted_edge_list()
    yield "edge map", lambda o: graph(o).edge_index_map()
    yield "edge map, items", lambda o: graph(o).edge_index_map().items()
    yield "edge map, values", lambda o: graph(o).edge_index_map().values()
    yield "edge map, iterator", lambda o: iter(graph(o).edge_index_map().values())
    yield "sorter", lambda o: rustworkx.TopologicalSorter(graph(o))
    yield "successors", lambda o: rustworkx.bfs_successors(graph(o), 0)
    yield "indices", lambda o: graph(o).node_indices()


@package
def pycrdt():
    import pycrdt

    def observed(kind):
        def make(o):
            doc = pycrdt.Doc()
            shared = doc["a"] = kind()
            return shared.observe(returning(o))

        return make

    for kind in (pycrdt.Text, pycrdt.Array, pycrdt.Map):
        yield f"{kind.__name__}, subscription", observed(kind)
    yield "doc", lambda o: (d := pycrdt.Doc(), d.observe(returning(o)))
    yield "plain doc", lambda o: pycrdt.Doc()


@package
def y_py():
    import y_py

    def observed(get):
        def make(o):
            shared = get(y_py.YDoc())
            shared.observe(returning(o))
            return shared

        return make

    yield "text", observed(lambda doc: doc.get_text("a"))
    yield "array", observed(lambda doc: doc.get_array("a"))
    yield "map", observed(lambda doc: doc.get_map("a"))
    yield "plain text", lambda o: y_py.YDoc().get_text("a")


@package
def tree_sitter():
    import tree_sitter
    import tree_sitter_python

    language = tree_sitter.Language(tree_sitter_python.language())

    def logged(o):
        parser = tree_sitter.Parser(language)
        parser.logger = returning(o)
        return parser

    def tree(source):
        return tree_sitter.Parser(language).parse(source)

    yield "logger", logged
    yield "source", lambda o: tree(carrying(o, bytes, b"a = 1"))
    yield "node", lambda o: tree(carrying(o, bytes, b"a = 1")).root_node
    yield "plain tree", lambda o: tree(b"a = 1")
    yield "plain node", lambda o: tree(b"a = 1").root_node


@package
def rloop():
    import rloop

    loop = rloop.new_event_loop()
    yield "timer", lambda o: loop.call_later(1000, returning(o))
    yield "handle", lambda o: loop.call_soon(returning(o))


@package
def more_rust():
    import jsonschema_rs
    import nh3
    import obstore.store
    import orjson
    import pyoxigraph
    import rignore
    from cryptography.hazmat.primitives import hashes

    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "format": "x"}
    yield "nh3", lambda o: nh3.Cleaner(attribute_filter=lambda *a: (o, a[-1])[1])
    yield "nh3, plain", lambda o: nh3.Cleaner(tags={"a"})
    yield "rignore", lambda o: rignore.walk(".", should_exclude_entry=returning(o, False))
    yield "rignore, plain", lambda o: rignore.walk(".")
    yield "pyoxigraph", lambda o: pyoxigraph.parse(
        carrying(o, object, read=lambda self, size: b""), format=pyoxigraph.RdfFormat.TURTLE
    )
    yield "pyoxigraph, plain", lambda o: pyoxigraph.Store()
    yield "jsonschema_rs", lambda o: jsonschema_rs.Draft7Validator(
        schema, formats={"x": returning(o, True)}, validate_formats=True
    )
    yield "jsonschema_rs, plain", lambda o: jsonschema_rs.Draft7Validator({"type": "string"})
    yield "obstore", lambda o: obstore.store.S3Store(
        "b", region="us-east-1", credential_provider=carrying(o, object, __call__=lambda self: {})
    )
    yield "obstore, plain", lambda o: obstore.store.MemoryStore()
    yield "cryptography", lambda o: hashes.Hash(carrying(o, hashes.SHA256))
    yield "cryptography, plain", lambda o: hashes.Hash(hashes.SHA256())
    yield "orjson", lambda o: orjson.Fragment(carrying(o, bytes, b"1"))
    yield "orjson, plain", lambda o: orjson.Fragment(b"1")


@package
def pydantic_core():
    from pydantic_core import ArgsKwargs, SchemaSerializer, SchemaValidator, Some, ValidationError, core_schema

    def error(o):
        try:
            SchemaValidator(core_schema.int_schema()).validate_python(o)
        except ValidationError as error:
            return error.with_traceback(None)

    def function(o):
        schema = core_schema.no_info_plain_validator_function(returning(o))
        return SchemaValidator(schema)

    yield "error", error
    yield "some", lambda o: Some(o)
    yield "function", function
    yield "serializer", lambda o: SchemaSerializer(
        core_schema.any_schema(serialization=core_schema.plain_serializer_function_ser_schema(returning(o)))
    )
    yield "arguments", lambda o: ArgsKwargs((o,))
    yield "plain validator", lambda o: SchemaValidator(core_schema.int_schema())
