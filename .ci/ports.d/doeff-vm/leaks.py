import doeff_vm as vm
from doeff import do, run
from doeff_core_effects.scheduler import CreateExternalPromise, scheduled
from doeff_vm import doeff_vm as core
from shapes import leak


class Effect(vm.EffectBase):
    def __init__(self, thing=None):
        self.thing = thing


def nothing(*arguments, **options):
    return None


def add(node, thing):
    node.thing = thing
    return node


def call(function):
    return vm.Call(vm.DoFunction(function, [], True), (), {})


def suspended(thing):
    """A continuation: what was left to do, which holds the object, when its handler was called."""
    caught = []

    def body():
        kept = thing
        yield Effect()
        return kept

    def handler(effect, k):
        caught.append(k)
        return vm.Pure(None)

    vm.PyVM().run(vm.WithHandler(handler, call(body)))
    return caught.pop()


@do
def ask_scheduler():
    promise = yield CreateExternalPromise()
    handlers = yield vm.GetOuterHandlers()
    return promise._queue, handlers


def scheduler(thing, *, prompt=False):
    """The object lies in the queue of a scheduler, which its prompt holds, too."""
    queue, handlers = run(scheduled(ask_scheduler()))
    queue.put(("complete", 0, thing))
    return handlers[0] if prompt else queue


def opened(thing):
    """An opener that remembers the type of what it has opened."""
    kind = type("Kind", (vm.EffectBase,), {"thing": thing})
    opener = vm.BindOpener(nothing, nothing, lambda kind: True)
    opener(kind())
    return opener


# What holds a value of any kind.
for name, make in {
    "Pure": vm.Pure,
    "Perform": vm.Perform,
    "Apply, its function": lambda thing: vm.Apply(lambda: thing, []),
    "Apply, its arguments": lambda thing: vm.Apply(nothing, [thing]),
    "Expand": vm.Expand,
    "DoFunction": lambda thing: vm.DoFunction(lambda: thing, [], False),
    "Call, its arguments": lambda thing: vm.Call(vm.DoFunction(nothing, [], False), (thing,), {}),
    "Call, its keywords": lambda thing: vm.Call(vm.DoFunction(nothing, [], False), (), {"a": thing}),
    "BindOpener": lambda thing: vm.BindOpener(lambda: thing, nothing),
    "BindOpener, its filter": lambda thing: vm.BindOpener(nothing, nothing, lambda kind: thing),
    "BindOpener, a type": opened,
    "SchedulerExternalQueue": scheduler,
    "SchedulerPrompt": lambda thing: scheduler(thing, prompt=True),
    "WithHandler, its handler": lambda thing: vm.WithHandler(lambda effect, k: thing, vm.Pure(1)),
    "WithHandler, its body": lambda thing: vm.WithHandler(nothing, vm.Pure(thing)),
    "WithObserve": lambda thing: vm.WithObserve(lambda effect: thing, vm.Pure(1)),
    "WithBoundaries": lambda thing: vm.WithBoundaries([("observer", lambda effect: thing)], vm.Pure(1)),
    "TailEval": vm.TailEval,
    "Callable": lambda thing: vm.Callable(lambda: thing),
    "IRStream": lambda thing: vm.IRStream(iter([thing])),
    "Ok": vm.Ok,
    "Err": lambda thing: vm.Err(ValueError(thing)),
    "EffectBase, a subclass": Effect,
    "Pure, its __dict__": lambda thing: add(vm.Pure(1), thing),
    "StateHandler": lambda thing: core.StateHandler({"a": thing}, Effect, Effect),
    "K": suspended,
    "Resume, its value": lambda thing: vm.Resume(suspended(None), thing),
    "Resume, its continuation": lambda thing: vm.Resume(suspended(thing), None),
    "Transfer": lambda thing: vm.Transfer(suspended(None), thing),
    "ResumeThrow": lambda thing: vm.ResumeThrow(suspended(None), ValueError(thing)),
    "TransferThrow": lambda thing: vm.TransferThrow(suspended(None), ValueError(thing)),
    "Pass": lambda thing: vm.Pass(Effect(thing), suspended(None)),
    "GetTraceback": lambda thing: vm.GetTraceback(suspended(thing)),
    "GetHandlers": lambda thing: vm.GetHandlers(suspended(thing)),
    "GetBoundaries": lambda thing: vm.GetBoundaries(suspended(thing)),
}.items():
    leak(name, make)
