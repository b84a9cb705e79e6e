import asyncio
import http.server
import threading

from pyreqwest.client import ClientBuilder, SyncClientBuilder
from pyreqwest.request import RequestBody
from pyreqwest.response import ResponseBuilder
from pyreqwest.simple.sync_request import pyreqwest_get
from shapes import leak


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    do_POST = do_GET

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
URL = f"http://127.0.0.1:{server.server_port}/"


def middleware(thing):
    def middle(request, next):
        return thing and next.run(request)

    return middle


def async_middleware(thing):
    async def middle(request, next):
        return thing and await next.run(request)

    return middle


def json(thing):
    return {"loads": lambda context: thing, "dumps": lambda context: b"1" if thing else b""}


def async_json(thing):
    async def loads(context):
        return thing

    return {"loads": loads}


def stream(thing):
    yield b"a"
    yield thing


for name, Builder, middle, handler in (
    ("ClientBuilder", ClientBuilder, async_middleware, async_json),
    ("SyncClientBuilder", SyncClientBuilder, middleware, json),
):
    leak(f"{name}, a middleware", lambda thing: Builder().with_middleware(middle(thing)))
    leak(f"{name}, a json handler", lambda thing: Builder().json_handler(**handler(thing)))
    sort = name.removesuffix("Builder")
    leak(f"{sort}, a middleware", lambda thing: Builder().with_middleware(middle(thing)).build())
    leak(f"{sort}, a json handler", lambda thing: Builder().json_handler(**handler(thing)).build())
    built = Builder().build()
    leak(f"{sort}'s request builder, a stream", lambda thing: built.post(URL).body_stream(stream(thing)))
    leak(f"{sort}'s request builder, an extension", lambda thing: built.get(URL).extensions({"a": thing}))
    leak(f"{sort}'s request builder, a middleware", lambda thing: built.get(URL).with_middleware(middle(thing)))
    leak(f"{sort}'s request, a stream", lambda thing: built.post(URL).body_stream(stream(thing)).build())
    leak(f"{sort}'s request, an extension", lambda thing: built.get(URL).extensions({"a": thing}).build())
    leak(f"{sort}'s request, a middleware", lambda thing: built.get(URL).with_middleware(middle(thing)).build())
    leak(
        f"{sort}'s request, the client's middleware",
        lambda thing: Builder().with_middleware(middle(thing)).build().get(URL).build(),
    )
    leak(
        f"{sort}'s request to stream, an extension",
        lambda thing: built.get(URL).extensions({"a": thing}).build_streamed(),
    )



def both(thing):
    """Two owners of the middlewares."""
    client = SyncClientBuilder().with_middleware(middleware(thing)).build()
    return client, client.get(URL).build()


leak("SyncClient and its request, a middleware", both)
leak("RequestBody", lambda thing: RequestBody.from_stream(stream(thing)))
leak("ResponseBuilder, a body", lambda thing: ResponseBuilder().body_stream(stream(thing)))
leak("ResponseBuilder, an extension", lambda thing: ResponseBuilder().extensions({"a": thing}))
leak("SyncOneOffRequestBuilder, a middleware", lambda thing: pyreqwest_get(URL).with_middleware(middleware(thing)))
leak("SyncOneOffRequestBuilder, an extension", lambda thing: pyreqwest_get(URL).extensions({"a": thing}))

plain = SyncClientBuilder().build()


def extended(thing):
    response = plain.get(URL).build().send()
    response.extensions["a"] = thing
    return response


def read(thing):
    """A response that holds a json handler, for later."""
    return SyncClientBuilder().json_handler(**json(thing)).build().get(URL).build().send()


leak("SyncResponse, an extension", extended)
leak("SyncResponse, a json handler", read)


def kept(thing, *, what):
    """What a middleware or a json handler was called with, and keeps."""
    found = []

    def middle(request, next):
        found.append(next)
        return next.run(request)

    def loads(context):
        found.append(context)
        return 1

    def dumps(context):
        found.append(context)
        return b"1"

    if what == "next":
        SyncClientBuilder().with_middleware(middle).with_middleware(middleware(thing)).build().get(URL).build().send()
        return found[0]
    client = SyncClientBuilder().json_handler(loads=loads, dumps=dumps).build()
    if what == "loads":
        client.get(URL).extensions({"a": thing}).build().send().json()
    else:
        client.post(URL).body_json({"a": thing})
    return found[0]


leak("SyncNext", lambda thing: kept(thing, what="next"))
leak("JsonLoadsContext", lambda thing: kept(thing, what="loads"))
leak("JsonDumpsContext", lambda thing: kept(thing, what="dumps"))


def kept_async(thing):
    found = []

    async def middle(request, next):
        found.append(next)
        return await next.run(request)

    async def send():
        async with ClientBuilder().with_middleware(middle).with_middleware(async_middleware(thing)).build() as client:
            await client.get(URL).build().send()

    asyncio.run(send())
    return found[0]


leak("Next", kept_async)
server.shutdown()
