"""Containers and proxies, their views and iterators, half-way through."""
import cachebox
import cytoolz
import frozenlist
import immutables
import lazy_object_proxy
import multidict
import rpds
import wrapt

values = [[n] for n in range(100)]
kept = [immutables.Map(enumerate(values)), multidict.MultiDict(a=values), frozenlist.FrozenList(values)]
kept += [kept[0].items(), iter(kept[0]), kept[1].items(), iter(kept[2]), cytoolz.partition(3, values)]
kept += [rpds.HashTrieMap(dict(enumerate(values))), rpds.List(values), iter(rpds.Queue(values))]
cache = cachebox.LRUCache(50)
for number, value in enumerate(values):
    cache[number] = value
kept += [cache, cache.items(), wrapt.FunctionWrapper(len, print), lazy_object_proxy.Proxy(list), cytoolz.curry(max, 1)]
next(kept[4]), next(kept[7])
