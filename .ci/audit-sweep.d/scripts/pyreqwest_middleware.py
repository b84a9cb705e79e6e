# finds: over_visited pyreqwest
"""A request whose middleware is shared by all that the client makes."""
from pyreqwest.client import SyncClientBuilder


class Middleware:
    def __call__(self, request, following):
        return following.run(request)


client = SyncClientBuilder().with_middleware(Middleware()).build()
kept = [client.get("http://localhost") for _ in range(3)]
