"""Records what a FastAPI service with the routes of this one answers to bad requests.

Needs fastapi, uvicorn and python-multipart. Writes test/server/inference/fastapi-errors.json, which CI replays against
the product: same request, same status and body.

    python test/oracle/fastapi-errors.py
"""

import http.client
import json
import pathlib
import threading
import time
from typing import Annotated, Literal

import fastapi
import uvicorn
from fastapi import FastAPI, Query, UploadFile

GOLDEN = pathlib.Path(__file__).parents[1] / "server" / "inference" / "fastapi-errors.json"
app = FastAPI()


@app.get("/analyze")
async def describe(model: str | None = None):
    return {}


@app.post("/analyze")
async def analyze(
    file: UploadFile,
    model: str | None = None,
    output: Literal["result", "raw", "stats"] = "result",
    encoding: Literal["json", "base64"] = "json",
    score: Annotated[float | None, Query(ge=0, le=1)] = None,
    iou: Annotated[float | None, Query(ge=0, le=1)] = None,
    classes: Annotated[list[str] | None, Query()] = None,
    max: Annotated[int | None, Query(ge=1, le=10000)] = None,
    decode: Literal["exact", "shrink"] = "exact",
    timeout_ms: Annotated[int | None, Query(ge=1)] = None,
):
    return {}


@app.post("/vector_image")
async def vector_image(values: list[float], format: Literal["png", "jpeg", "webp"] = "png"):
    return {}


B = "golden-boundary"
FORM = {"content-type": f"multipart/form-data; boundary={B}"}
JSON = {"content-type": "application/json"}


def part(disposition, content="abc", end=True, headers=""):
    close = f"--{B}--\r\n" if end else ""
    return f"--{B}\r\nContent-Disposition: {disposition}\r\n{headers}\r\n{content}\r\n{close}"


FILE = part('form-data; name="file"; filename="a.png"', headers="Content-Type: image/png\r\n")
REQUESTS = [
    ("no body", "POST", "/analyze", {}, ""),
    ("a JSON body", "POST", "/analyze", JSON, '{"file": 1}'),
    ("a bare image", "POST", "/analyze", {"content-type": "image/png"}, "abc"),
    ("a text in place of the file", "POST", "/analyze", FORM, part('form-data; name="file"')),
    ("a part named other", "POST", "/analyze", FORM, part('form-data; name="image"; filename="a.png"')),
    ("an empty file input", "POST", "/analyze", FORM, part('form-data; name="file"; filename=""', "")),
    ("an urlencoded form", "POST", "/analyze", {"content-type": "application/x-www-form-urlencoded"}, "file=abc"),
    ("an empty form", "POST", "/analyze", FORM, f"--{B}--\r\n"),
    ("a form without a byte", "POST", "/analyze", FORM, ""),
    ("a form cut off in its file", "POST", "/analyze", FORM, FILE[: FILE.index("abc") + 2]),
    ("a form cut off before its end", "POST", "/analyze", FORM, FILE[: FILE.index("abc") + 3]),
    ("a form cut off in a header", "POST", "/analyze", FORM, FILE[:40]),
    ("another boundary", "POST", "/analyze", FORM, FILE.replace(B, "other")),
    ("no boundary", "POST", "/analyze", {"content-type": "multipart/form-data"}, FILE),
    ("garbage as a form", "POST", "/analyze", FORM, "garbage"),
    ("a part without a name", "POST", "/analyze", FORM, part('form-data; filename="a.png"')),
    ("an attachment", "POST", "/analyze", FORM, part('attachment; filename="a.png"')),
    ("every value at fault", "POST", "/analyze?output=x&encoding=&score=x&iou=2&max=0&decode=fast&timeout_ms=1.5", FORM, FILE),
    ("values and file at fault", "POST", "/analyze?score=-0.1&max=1e3", FORM, part('form-data; name="image"')),
    ("numbers that are none", "POST", "/analyze?score=nan&iou=inf&max=&timeout_ms=ten", FORM, FILE),
    ("numbers below their bounds", "POST", "/analyze?score=-1e-3&iou=-inf&max=-5&timeout_ms=0", FORM, FILE),
    ("numbers above their bounds", "POST", "/analyze?score=1.0001&max=10001", FORM, FILE),
    ("the last of repeated values counts", "POST", "/analyze?score=0.5&score=7&output=raw&output=no", FORM, FILE),
    ("case counts", "POST", "/analyze?output=RAW&encoding=Base64", FORM, FILE),
    ("odd spellings of numbers", "POST", "/analyze?score=%201_0.5e0%20&max=0.0&timeout_ms=-1_0", FORM, FILE),
    ("no such path", "GET", "/nothing", {}, ""),
    ("no such path for a post", "POST", "/nothing", JSON, "{}"),
    ("no such method", "PUT", "/analyze", {}, ""),
    ("no such method either", "DELETE", "/vector_image", {}, ""),
    ("a vector without a body", "POST", "/vector_image", JSON, ""),
    ("a vector that is no JSON", "POST", "/vector_image", JSON, "[1, 2"),
    ("a vector with two numbers in one", "POST", "/vector_image", JSON, "[1, 2 3]"),
    ("a vector with a comma too many", "POST", "/vector_image", JSON, "[1, , 2]"),
    ("a vector with other things in it", "POST", "/vector_image", JSON, '[1, "x", null, [1], "2.5", true]'),
    ("a vector in an unknown format", "POST", "/vector_image?format=gif", JSON, "[1]"),
    ("a vector with format and values at fault", "POST", "/vector_image?format=gif", JSON, '[{"a": 1}]'),
]


def main():
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    cases = []
    for name, method, path, headers, body in REQUESTS:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request(method, path, body=body.encode(), headers=headers)
        response = connection.getresponse()
        answer = {"status": response.status, "body": json.loads(response.read())}
        connection.close()
        assert answer["status"] >= 400, (name, answer)
        cases.append({"name": name, "request": {"method": method, "path": path, "headers": headers, "body": body}, "answer": answer})
    GOLDEN.write_text(json.dumps({"fastapi": fastapi.__version__, "cases": cases}, indent=1) + "\n")
    print(f"{len(cases)} cases")


main()
