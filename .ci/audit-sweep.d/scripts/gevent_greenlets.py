"""Greenlets, locals of both kinds, queues, events and a pool, before and after they run."""
import gevent
import gevent.event
import gevent.local
import gevent.pool
import gevent.queue


class Defaults(gevent.local.local):
    value = 1


local, defaults = gevent.local.local(), Defaults()
queue, event, pool = gevent.queue.Queue(), gevent.event.Event(), gevent.pool.Pool(4)


def work(number):
    local.number = defaults.number = number
    queue.put([number, local])
    event.wait()
    return number


kept = [pool.spawn(work, number) for number in range(4)]
gevent.sleep(0)
event.set()
pool.join()
kept += [gevent.spawn_later(1000, work, 5), gevent.event.AsyncResult(), gevent.get_hub().loop.timer(10)]
