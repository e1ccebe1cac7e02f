#!/usr/bin/env python3
"""A server that answers as ClickHouse's HTTP interface does, or fails as asked: stub_server.py MODE PORT_FILE LOG [CERTIFICATE].

The port goes to PORT_FILE when the server listens, each statement to LOG. Modes: good, error (status 500), late_error (an exception after status 200), cut
(the body is shorter than announced), chunk (a chunked body without its end), stall (no answer), password (403), login (403 without the
password 'top secret'), redirect, foreign (a database with a
table of others), asking (the last run has open pairs, and the file `wanted` has the documents of shard 1 whose texts it asks for, with a digest each;
with the file `cut` that answer is not complete), those of SHARD (a place in the cluster that no node can have)."""
import base64
import http.server
import os
import ssl
import struct
import sys
import time
import urllib.parse

mode, port_file, log, *certificate = sys.argv[1:]
SHARD = {"replicas": b"1\t1\t2\n", "none": b"0\t1\t1\n", "beyond": b"2\t1\t1\n", "unknown": b"0\t0\t0\n"}  # its number, of how many, replicas
TABLES = b"document\ndocument_local\nmanifest\nmanifest_local\nrun\nrun_local\ntext\ntext_local\n"


def asked(statement):
    """The run and what it asks for, in RowBinary."""
    if "run_local" in statement: return struct.pack("<QQHQQQBIQ", 7, 1, 1, 1, 2, 0, 1, 1, 1)
    if "_wanted_local" not in statement or not os.path.exists("wanted"): return b""
    rows = b"".join(struct.pack("<qQ", *map(int, line.split())) for line in open("wanted"))
    if "GROUP BY shard" in statement: return struct.pack("<HQ", 1, len(rows) // 16)
    return rows[:-1] if os.path.exists("cut") else rows


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body, length=None, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query).get("query")
        statement = query[0] if query else body.decode()
        with open(log, "a") as f:
            f.write("\n".join(line for line in statement.splitlines() if not line.startswith("--")) + "\n")
        tables = TABLES + (b"users\n" if mode == "foreign" else b"")
        good = tables if "system.tables" in statement else SHARD.get(mode, b"1\t1\t1\n") if "system.clusters" in statement else b""
        if mode == "asking": good = good or asked(statement)
        if mode == "error":
            self.answer(500, b"Code: 60, e.displayText() = DB::Exception: Table twindex.document doesn't exist., e.what() = DB::Exception\nmore\n")
        elif mode == "late_error":
            self.answer(200, b"Code: 241, e.displayText() = DB::Exception: Memory limit exceeded\n")
        elif mode == "password":
            self.answer(403, b"Code: 516. DB::Exception: default: Authentication failed\n")
        elif mode == "login" and self.headers.get("Authorization") != "Basic " + base64.b64encode(b"default:top secret").decode():
            self.answer(403, b"Code: 516. DB::Exception: default: Authentication failed\n")
        elif mode == "cut":
            self.answer(200, good, len(good) + 100)
            self.close_connection = True
        elif mode == "chunk":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"5\r\nhello\r\n")
            self.close_connection = True
        elif mode == "stall":
            time.sleep(60)
        elif mode == "redirect":
            self.answer(302, b"", headers=[("Location", "http://127.0.0.1:1/")])
        else:
            self.answer(200, good)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[0])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(port_file + ".new", "w") as f:
    f.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
