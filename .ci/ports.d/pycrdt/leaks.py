from pycrdt import Array, Doc, Map, Text, UndoManager, XmlElement, XmlFragment, XmlText
from pycrdt._pycrdt import IdSet, StackItem
from pycrdt._pycrdt import UndoManager as CoreUndoManager
from shapes import leak


def observed(new, *, deep=False, dropped=False):
    """A shared type, and the object in a closure that observes it. The subscription alone holds nothing."""

    def make(thing):
        doc = Doc()
        doc["a"] = shared = new()
        observe = shared.observe_deep if deep else shared.observe
        subscription = observe(lambda event: thing)
        if dropped:
            doc.kept = subscription
            return doc
        return shared, subscription

    return make


KINDS = {"Text": Text, "Array": Array, "Map": Map, "XmlFragment": XmlFragment}
for name, new in KINDS.items():
    leak(f"{name}.observe", observed(new))
    leak(f"{name}.observe_deep", observed(new, deep=True))
leak("Doc that holds the subscription", observed(Map, dropped=True))


def observed_xml(new):
    def make(thing):
        doc = Doc()
        doc["a"] = fragment = XmlFragment()
        fragment.children.append(new("a"))
        child = fragment.children[0]
        return child, child.observe(lambda event: thing)

    return make


leak("XmlElement.observe", observed_xml(XmlElement))
leak("XmlText.observe", observed_xml(XmlText))


def observed_doc(way):
    def make(thing):
        doc = Doc()
        return doc, getattr(doc, way)(lambda event: thing)

    return make


leak("Doc.observe", observed_doc("observe"))
leak("Doc.observe_subdocs", observed_doc("observe_subdocs"))


def event(new, change, attribute):
    """An event holds what it was asked for: here, a list, a dict or a shared type, and the object is put into it."""

    def make(thing):
        events = []
        doc = Doc()
        doc["a"] = shared = new()
        subscription = shared.observe(events.append)
        change(shared)
        shared.unobserve(subscription)
        caught = events.pop()
        attach(getattr(caught, attribute), thing)
        return caught

    return make


def attach(value, thing):
    if isinstance(value, list):
        value.append(thing)
    elif isinstance(value, dict):
        value["thing"] = thing
    else:
        value.thing = thing


leak("TextEvent.delta", event(Text, lambda text: text.insert(0, "a"), "delta"))
leak("TextEvent.path", event(Text, lambda text: text.insert(0, "a"), "path"))
leak("ArrayEvent.delta", event(Array, lambda array: array.append(1), "delta"))
leak("ArrayEvent.path", event(Array, lambda array: array.append(1), "path"))
leak("MapEvent.keys", event(Map, lambda map: map.update({"b": 1}), "keys"))
leak("MapEvent.path", event(Map, lambda map: map.update({"b": 1}), "path"))
leak("XmlEvent.delta", event(XmlFragment, lambda xml: xml.children.append(XmlText("b")), "delta"))
leak("XmlEvent.path", event(XmlFragment, lambda xml: xml.children.append(XmlText("b")), "path"))


def item(thing):
    return StackItem(Doc(), IdSet(), IdSet(), thing)


leak("StackItem", item)
leak("UndoManager, its undo stack", lambda thing: CoreUndoManager(500, int, [item(thing)], []))
leak("UndoManager, its redo stack", lambda thing: CoreUndoManager(500, int, [], [item(thing)]))
leak("UndoManager, its clock", lambda thing: UndoManager(timestamp=lambda: thing and 1))
