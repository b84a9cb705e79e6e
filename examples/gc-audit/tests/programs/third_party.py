"""Uses numpy, lxml, and the current release of pydantic, and keeps what they made."""

import io
from typing import Any, Callable, Generic, Optional, TypeVar

import lxml.html
import numpy
from lxml import etree
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model, model_validator

kept: list[object] = []


def use_numpy() -> None:
    array = numpy.arange(1000.0).reshape(10, 100)
    objects = numpy.array([[], {}, array, None], dtype=object)
    objects[3] = objects
    view = array[:, ::2].T
    kept.extend([array, objects, view, objects.view(), numpy.nditer(array), array.flat, array.dtype])
    kept.extend([numpy.linalg.svd(array[:, :10]), numpy.fft.fft(array), numpy.random.default_rng(1).normal(size=9)])
    structured = numpy.zeros(3, dtype=[("a", "f8"), ("b", "O")])
    structured["b"] = [kept, array, None]
    kept.extend([structured, structured[0], numpy.ma.masked_array([1, 2], mask=[0, 1]), numpy.vectorize(len)])
    kept.extend([numpy.frompyfunc(lambda a: kept, 1, 1)(array[0]), numpy.lib.stride_tricks.as_strided(array)])


def use_lxml() -> None:
    root = etree.fromstring("<a x='1'><b>c</b><b/><!-- d --></a>")
    kept.extend([root, root[0], root.xpath("//b"), root.iter("b"), root.getroottree(), root.attrib, [*root]])
    style = etree.XSLT(
        etree.XML(
            '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
            '<xsl:template match="/"><out><xsl:value-of select="a/b"/></out></xsl:template></xsl:stylesheet>'
        )
    )
    kept.extend([style, style(root), etree.XPath("//b"), lxml.html.fromstring("<p>a<br>b</p>")])

    class Element(etree.ElementBase):
        pass

    lookup = etree.ElementDefaultClassLookup(element=Element)
    parser = etree.XMLParser()
    parser.set_element_class_lookup(lookup)
    kept.extend([parser, etree.fromstring("<a/>", parser), etree.iterparse(io.BytesIO(b"<a/>"))])
    try:
        etree.fromstring("<a>")
    except etree.XMLSyntaxError as error:
        kept.append(error)


T = TypeVar("T")


class Tree(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    value: Any = None
    left: "Optional[Tree]" = None
    array: Optional[numpy.ndarray] = None


class Box(BaseModel, Generic[T]):
    content: T


class Inner(BaseModel):
    x: int


class Outer(BaseModel):
    """The model of pydantic/pydantic#13817."""

    inner: Inner

    @model_validator(mode="wrap")
    @classmethod
    def log(cls, value: Any, handler: Callable[[Any], "Outer"]) -> "Outer":
        kept.append(handler)
        try:
            return handler(value)
        except ValidationError as error:
            kept.append(error)
            raise


def use_pydantic() -> None:
    tree = Tree(value=[1], left=Tree(array=numpy.zeros(3)))
    tree.value.append(tree)
    kept.extend([tree, Box[int](content=1), Box[Tree](content=tree), Outer(inner=Inner(x=1))])
    kept.extend([Outer.model_json_schema(), TypeAdapter(dict[str, list[Inner]]).validate_json('{"a": [{"x": 1}]}')])
    kept.extend([create_model("Model", x=(int, ...))(x=1), Outer(inner=Inner(x=1)).model_dump_json()])
    try:
        Outer.model_validate({"inner": {"x": "no"}})
    except ValidationError as error:
        kept.append(error)


if __name__ == "__main__":
    use_numpy()
    use_lxml()
    use_pydantic()
    print("third_party done")
