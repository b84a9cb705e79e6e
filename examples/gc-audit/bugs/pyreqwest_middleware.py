"""A client with one middleware, and request builders that share it."""

from pyreqwest.client import SyncClientBuilder


class Middleware:
    def __call__(self, request, next_handler):
        return next_handler.run(request)


client = SyncClientBuilder().with_middleware(Middleware()).build()
builders = [client.get("http://localhost/") for _ in range(3)]
