"""Threads that wait, in Python and in C, while the audit takes place."""

import asyncio
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(3)
assert pool.submit(len, []).result() == 0

work: "queue.Queue[None]" = queue.Queue()
event = threading.Event()
loop = asyncio.new_event_loop()
for target in [work.get, event.wait, lambda: time.sleep(60), loop.run_forever]:
    threading.Thread(target=target, daemon=True).start()


def busy() -> None:
    while True:
        held = [[event], {"a": work}]
        held.append([held])


threading.Thread(target=busy, daemon=True).start()
time.sleep(0.1)
print("threads done")
