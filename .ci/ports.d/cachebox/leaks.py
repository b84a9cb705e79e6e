import cachebox
from shapes import leak

SORTS = {
    "Cache": lambda **options: cachebox.Cache(10, **options),
    "FIFOCache": lambda **options: cachebox.FIFOCache(10, **options),
    "RRCache": lambda **options: cachebox.RRCache(10, **options),
    "LRUCache": lambda **options: cachebox.LRUCache(10, **options),
    "LFUCache": lambda **options: cachebox.LFUCache(10, **options),
    "TTLCache": lambda **options: cachebox.TTLCache(10, global_ttl=100, **options),
    "VTTLCache": lambda **options: cachebox.VTTLCache(10, **options),
}


def filled(new, key, value):
    cache = new()
    cache[key] = value
    cache["another"] = 1
    return cache


def sized(new, thing):
    return new(getsizeof=lambda key, value, thing=thing: 1)


def decorated(thing):
    @cachebox.cached(cachebox.LRUCache(5))
    def function(x):
        return thing

    function(1)
    return function


for name, new in SORTS.items():
    leak(f"{name}, a value", lambda thing: filled(new, "a", thing))
    leak(f"{name}, a key", lambda thing: filled(new, thing, 1))
    leak(f"{name}, its getsizeof", lambda thing: sized(new, thing))
    leak(f"{name}.keys()", lambda thing: filled(new, thing, 1).keys())
    leak(f"{name}.values()", lambda thing: filled(new, "a", thing).values())
    leak(f"{name}.items()", lambda thing: filled(new, "a", thing).items())
    if "TTL" in name:
        leak(f"{name}.items_with_expire()", lambda thing: filled(new, "a", thing).items_with_expire())
leak("LFUCache.items_with_frequency()", lambda thing: filled(SORTS["LFUCache"], "a", thing).items_with_frequency())


class Derived(cachebox.LRUCache):
    def __init__(self):
        super().__init__(10)


leak("an instance of a subclass", lambda thing: filled(Derived, "a", thing))
leak("Frozen", lambda thing: cachebox.Frozen(filled(SORTS["Cache"], "a", thing)))
leak("cached", decorated)
