"""An S3-like store for the tests: objects in memory, conditions, and signatures checked.

Usage: s3_server.py PATH-OF-THE-HELPER [careless]   prints its port; `careless` ignores conditions.
"""

import hashlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from threading import Lock

sys.dont_write_bytecode = True
spec = spec_from_loader("helper", SourceFileLoader("helper", sys.argv[1]))
helper = module_from_spec(spec)
spec.loader.exec_module(helper)
careless = sys.argv[2:] == ["careless"]
objects, lock = {}, Lock()


def known_answer():
    """Amazon S3 API Reference, Signature Version 4, the example of GET Object."""
    headers = {
        "Host": "examplebucket.s3.amazonaws.com",
        "Range": "bytes=0-9",
        "x-amz-content-sha256": hashlib.sha256(b"").hexdigest(),
        "x-amz-date": "20130524T000000Z",
    }
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    said = helper.authorization("AKIAIOSFODNN7EXAMPLE", secret, "us-east-1", "GET", "/test.txt", headers)
    assert said.endswith("=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"), said


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", etag=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if etag:
            self.send_header("ETag", etag)
        self.end_headers()
        self.wfile.write(body)

    def signed(self, body):
        """Whether what came over the wire is what was signed."""
        said = self.headers.get("Authorization", "")
        names = said.partition("SignedHeaders=")[2].partition(",")[0].split(";")
        headers = {name: self.headers.get(name) for name in names}
        whole = headers.get("x-amz-content-sha256") == hashlib.sha256(body).hexdigest()
        expected = helper.authorization("id", "secret", "us-east-1", self.command, self.path, headers)
        return whole and "host" in names and said == expected

    def do_GET(self):
        found = objects.get(self.path)
        if not self.signed(b""):
            return self.answer(403, b"SignatureDoesNotMatch")
        if found is None:
            return self.answer(404, b"NoSuchKey")
        return self.answer(200, found, etag(found))

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.signed(body):
            return self.answer(403, b"SignatureDoesNotMatch")
        with lock:
            found = objects.get(self.path)
            wanted = self.headers.get("If-Match")
            differs = wanted is not None and (found is None or etag(found) != wanted)
            exists = self.headers.get("If-None-Match") == "*" and found is not None
            if (differs or exists) and not careless:
                return self.answer(412, b"PreconditionFailed")
            objects[self.path] = body
        return self.answer(200, b"", etag(body))

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except BrokenPipeError:
            self.close_connection = True

    def log_message(self, *_):
        pass


def etag(body):
    return f'"{hashlib.md5(body).hexdigest()}"'


known_answer()
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
