"""A map that holds an object that holds the map: the collector doesn't know, and the object is never freed."""

import gc

from rpds import HashTrieMap


class Node:
    map: "HashTrieMap[str, Node]"


node = Node()
node.map = HashTrieMap({"me": node})
del node
gc.collect()
