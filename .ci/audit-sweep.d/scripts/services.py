"""Databases, sockets, graphs, shared documents, parsers and policies, while they are in use."""
import apsw
import igraph
import jsonschema_rs
import nh3
import persistent.mapping
import pycrdt
import pycurl
import rustworkx
import tree_sitter
import tree_sitter_python
import zmq
from tokenizers import Tokenizer, models
from zope.interface import Interface, implementer

connection = apsw.Connection(":memory:")
connection.create_scalar_function("f", lambda value: value)
kept = [connection, connection.execute("select f(1) union select 2"), pycurl.Curl(), zmq.Context().socket(zmq.PAIR)]
kept[2].setopt(pycurl.WRITEFUNCTION, kept.append)
graph = rustworkx.PyDiGraph()
graph.add_edge(graph.add_node([]), graph.add_node({}), "edge")
kept += [graph, graph.weighted_edge_list(), igraph.Graph(3, [(0, 1)]), rustworkx.dijkstra_shortest_paths(graph, 0)]
document = pycrdt.Doc()
text = document["text"] = pycrdt.Text()
kept += [document, text.observe(kept.append), nh3.Cleaner(attribute_filter=lambda *a: a[-1])]
text += "changed"
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
kept += [parser, parser.parse(b"a = 1").root_node, jsonschema_rs.validator_for({"type": "object"})]
kept += [Tokenizer(models.WordLevel({"a": 0}, unk_token="a")), persistent.mapping.PersistentMapping(a=[])]


class Interfaced(Interface):
    pass


@implementer(Interfaced)
class Implementing:
    pass


kept.append(Implementing())
