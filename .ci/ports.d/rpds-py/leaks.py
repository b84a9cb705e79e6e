from rpds import HashTrieMap, HashTrieSet, List, Queue, Stack
from shapes import leak


def partly(iterable):
    """An iterator that has begun, and holds the rest."""
    iterator = iter(iterable)
    next(iterator)
    return iterator


leak("HashTrieMap, a value", lambda thing: HashTrieMap({"a": thing}))
leak("HashTrieMap, a key", lambda thing: HashTrieMap({thing: 1}))
leak("HashTrieMap, shared by its successor", lambda thing: HashTrieMap({"a": thing}).insert("b", 1))
leak("HashTrieMap.keys()", lambda thing: HashTrieMap({thing: 1}).keys())
leak("HashTrieMap.values()", lambda thing: HashTrieMap({"a": thing}).values())
leak("HashTrieMap.items()", lambda thing: HashTrieMap({"a": thing}).items())
leak("KeysIterator", lambda thing: iter(HashTrieMap({thing: 1}).keys()))
leak("ValuesIterator", lambda thing: iter(HashTrieMap({"a": thing}).values()))
leak("ItemsIterator", lambda thing: iter(HashTrieMap({"a": thing}).items()))
leak("HashTrieSet", lambda thing: HashTrieSet([thing]))
leak("SetIterator", lambda thing: iter(HashTrieSet([thing])))
leak("List", lambda thing: List([thing]))
leak("List, shared by its successor", lambda thing: List([thing]).push_front(1))
leak("ListIterator", lambda thing: partly(List([1, thing])))
leak("Queue", lambda thing: Queue([thing]))
leak("QueueIterator", lambda thing: partly(Queue([1, thing])))
leak("Stack", lambda thing: Stack([thing]))
leak("StackIterator", lambda thing: iter(Stack([thing, 1])))
