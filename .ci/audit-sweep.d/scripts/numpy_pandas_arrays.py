"""Arrays of objects and of numbers, views, iterators, tables and what comes of them."""
import numpy
import pandas

array = numpy.array([[], {}, None], dtype=object)
kept = [array, array[::2], array.flat, numpy.nditer(array, flags=["refs_ok"]), numpy.broadcast(array, 1)]
kept += [numpy.frompyfunc(len, 1, 1), numpy.dtype([("a", object)]), numpy.random.default_rng(1)]
frame = pandas.DataFrame({"a": [1, 2, 2], "b": [[], {}, "x"], "c": pandas.Categorical(["x", "y", "x"])})
kept += [frame.groupby("a"), frame.set_index("a").index, frame.rolling(2), frame.describe(), frame.T, iter(frame)]
