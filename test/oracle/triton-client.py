"""Drives a running server with Triton's own Python client, and records what it sends.

Needs tritonclient[http], numpy and onnx. First write the models, then start the server on their folder, then run:

    python test/oracle/triton-client.py models DIR
    MODELS_DIR=DIR npm start
    python test/oracle/triton-client.py run 127.0.0.1:8080 [--record]

`--record` writes test/server/inference/tritonclient.json: the models, and each request with its answer as they went over
the wire. CI replays it against the product.
"""

import asyncio
import base64
import http.client
import http.server
import json
import pathlib
import sys
import threading

import numpy as np
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

GOLDEN = pathlib.Path(__file__).parents[1] / "server" / "inference" / "tritonclient.json"
KEPT = ("content-type", "content-length", "inference-header-content-length", "content-encoding")


def models():
    import onnx
    from onnx import TensorProto, helper

    def identity(datatype, shape):
        info = [helper.make_tensor_value_info(name, datatype, shape) for name in ("in", "out")]
        node = helper.make_node("Identity", ["in"], ["out"])
        graph = helper.make_graph([node], "identity", info[:1], info[1:])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        return model.SerializeToString()

    return {
        "fp32": identity(TensorProto.FLOAT, ["n", 4]),
        "int64": identity(TensorProto.INT64, ["n", 4]),
        "text": identity(TensorProto.STRING, ["n"]),
        "flags": identity(TensorProto.BOOL, ["n"]),
        "half": identity(TensorProto.FLOAT16, ["n"]),
        "u8": identity(TensorProto.UINT8, ["n"]),
    }


class Recorder(http.server.BaseHTTPRequestHandler):
    """A proxy that passes everything on and keeps it."""

    protocol_version = "HTTP/1.1"
    upstream = ""
    exchanges = []
    label = ""

    def relay(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        connection = http.client.HTTPConnection(self.upstream)
        headers = {k: v for k, v in self.headers.items() if k.lower() != "host"}
        connection.request(self.command, self.path, body=body, headers=headers)
        response = connection.getresponse()
        answer = response.read()
        kept = {k.lower(): v for k, v in headers.items() if k.lower() in KEPT}
        self.exchanges.append(
            {
                "name": self.label,
                "request": {"method": self.command, "path": self.path, "headers": kept, "body": base64.b64encode(body).decode()},
                "answer": {
                    "status": response.status,
                    "header_length": response.getheader("inference-header-content-length"),
                    "body": base64.b64encode(answer).decode(),
                },
            }
        )
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() in KEPT and name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = relay

    def log_message(self, *_):
        pass


def run(url, record):
    Recorder.upstream = url
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    client = triton.InferenceServerClient(f"127.0.0.1:{proxy.server_address[1]}", concurrency=4)
    kept = []

    def check(name, condition, keep=True):
        assert condition, name
        print(f"ok {name}")
        for exchange in Recorder.exchanges:
            kept.append(exchange | {"name": name}) if keep else None
        Recorder.exchanges.clear()

    def infer(model, array, datatype, binary_in=True, binary_out=None, **options):
        tensor = triton.InferInput("in", list(array.shape), datatype)
        tensor.set_data_from_numpy(array, binary_data=binary_in)
        outputs = None if binary_out is None else [triton.InferRequestedOutput("out", binary_data=binary_out)]
        return client.infer(model, [tensor], outputs=outputs, **options)

    def fails(call, text):
        try:
            call()
        except InferenceServerException as error:
            assert text in str(error), error
            return True
        return False

    check("is_server_live", client.is_server_live())
    check("is_server_ready", client.is_server_ready(), keep=False)
    check("is_model_ready", client.is_model_ready("fp32"))
    check("is_model_ready, unknown", not client.is_model_ready("gone"))
    metadata = client.get_server_metadata()
    check("get_server_metadata", metadata["name"] == "steadyhand" and "binary_tensor_data" in metadata["extensions"], keep=False)
    check("get_model_metadata", client.get_model_metadata("fp32")["inputs"] == [{"name": "in", "datatype": "FP32", "shape": [-1, 4]}])
    version = client.get_model_metadata("fp32")["versions"][0]
    Recorder.exchanges.clear()
    check("get_model_metadata, version", client.get_model_metadata("fp32", version)["name"] == "fp32")
    check("get_model_metadata, other version", fails(lambda: client.get_model_metadata("fp32", "99"), "99"))
    check("get_model_config", client.get_model_config("fp32")["input"][0]["data_type"] == "TYPE_FP32")
    index = {entry["name"]: entry["state"] for entry in client.get_model_repository_index()}
    check("get_model_repository_index", index["fp32"] == "READY", keep=False)

    floats = np.array([[0.5, -1.25, 3e38, np.nan]], dtype=np.float32)
    whole = np.arange(8, dtype=np.float32).reshape(2, 4)
    longs = np.array([[2**63 - 1, -(2**63), 9007199254740993, 0]], dtype=np.int64)
    texts = np.array(["héllo", "", "日本語"], dtype=np.object_)
    flags = np.array([True, False, True])
    halves = np.array([0.5, -2, 65504], dtype=np.float16)
    small = np.arange(5, dtype=np.uint8)

    same = lambda result, array: np.array_equal(result.as_numpy("out"), array, equal_nan=array.dtype.kind == "f")
    check("FP32, binary both ways", same(infer("fp32", floats, "FP32"), floats))
    check("FP32, JSON both ways", same(infer("fp32", whole, "FP32", binary_in=False, binary_out=False), whole))
    check("FP32, JSON in and binary out", same(infer("fp32", whole, "FP32", binary_in=False, binary_out=True), whole))
    check("FP32, NaN out as JSON", same(infer("fp32", floats, "FP32", binary_out=False), floats))
    check("INT64, binary", same(infer("int64", longs, "INT64"), longs))
    check("INT64, JSON with every digit", same(infer("int64", longs, "INT64", binary_in=False, binary_out=False), longs))
    as_text = lambda result: [t.decode() if isinstance(t, bytes) else t for t in result.as_numpy("out")]
    check("BYTES, binary", as_text(infer("text", texts, "BYTES")) == list(texts))
    check("BYTES, JSON", as_text(infer("text", texts, "BYTES", binary_in=False, binary_out=False)) == list(texts))
    check("BOOL, binary", same(infer("flags", flags, "BOOL"), flags))
    check("BOOL, JSON", same(infer("flags", flags, "BOOL", binary_in=False, binary_out=False), flags))
    check("FP16, binary", same(infer("half", halves, "FP16"), halves))
    check("UINT8, JSON", same(infer("u8", small, "UINT8", binary_in=False, binary_out=False), small))
    check("gzip", same(infer("fp32", whole, "FP32", request_compression_algorithm="gzip", response_compression_algorithm="gzip"), whole))
    check("deflate", same(infer("fp32", whole, "FP32", request_compression_algorithm="deflate"), whole))
    named = infer("fp32", whole, "FP32", request_id="mine-7", timeout=5_000_000, priority=1, sequence_id=3)
    check("id, timeout, priority, sequence", named.get_response()["id"] == "mine-7" and named.get_response()["model_version"] == version)
    check("a version", same(infer("fp32", whole, "FP32", model_version=version), whole))

    tensor = triton.InferInput("in", [1, 4], "FP32").set_data_from_numpy(np.array([[0.1, 0.7, 0.0, 0.2]], dtype=np.float32))
    best = client.infer("fp32", [tensor], outputs=[triton.InferRequestedOutput("out", class_count=2)])
    labels = [t.decode().split(":")[1] for t in best.as_numpy("out").flatten()]
    check("classification", labels == ["1", "3"] and best.as_numpy("out").shape == (1, 2))

    waiting = [client.async_infer("fp32", [tensor]) for _ in range(8)]
    check("async_infer", all(r.get_result().as_numpy("out").shape == (1, 4) for r in waiting), keep=False)

    async def with_asyncio():
        import tritonclient.http.aio as aio

        async with aio.InferenceServerClient(url) as other:
            result = await other.infer("fp32", [tensor])
            return result.as_numpy("out").shape == (1, 4) and await other.is_model_ready("fp32")

    check("the asyncio client", asyncio.run(with_asyncio()), keep=False)

    shared = triton.InferInput("in", [1, 4], "FP32")
    shared.set_shared_memory("region", 16)
    check("shared memory", fails(lambda: client.infer("fp32", [shared]), "shared memory is not supported"))
    check("shared memory, register", fails(lambda: client.register_system_shared_memory("r", "/r", 16), "shared memory is not supported"))
    check("an unknown model", fails(lambda: infer("gone", whole, "FP32"), "gone"))
    check("another datatype", fails(lambda: infer("fp32", longs, "INT64"), "in"), keep=False)
    check("another shape", fails(lambda: infer("fp32", np.zeros((1, 3), np.float32), "FP32"), ""), keep=False)
    check("an unknown output", fails(lambda: client.infer("fp32", [tensor], outputs=[triton.InferRequestedOutput("nope")]), "nope"), keep=False)
    check("ocr takes no tensors", fails(lambda: infer("ocr", whole, "FP32"), "/analyze?model=ocr"), keep=False)

    statistics = client.get_inference_statistics("fp32")["model_stats"][0]
    counted = statistics["inference_stats"]["success"]["count"]
    check("get_inference_statistics", counted >= 18 and statistics["inference_stats"]["compute_infer"]["ns"] > 0, keep=False)
    check("get_inference_statistics, all", len(client.get_inference_statistics()["model_stats"]) >= 6, keep=False)
    client.unload_model("u8")
    check("unload_model", not client.is_model_ready("u8"), keep=False)
    check("an unloaded model", fails(lambda: infer("u8", small, "UINT8"), "u8"), keep=False)
    client.load_model("u8")
    check("load_model", client.is_model_ready("u8") and same(infer("u8", small, "UINT8"), small), keep=False)
    check("load_model, with an override", fails(lambda: client.load_model("u8", config="{}"), "overrides"), keep=False)

    if record:
        import tritonclient

        files = {name: base64.b64encode(data).decode() for name, data in models().items()}
        GOLDEN.write_text(json.dumps({"tritonclient": tritonclient.__version__ if hasattr(tritonclient, "__version__") else "", "models": files, "exchanges": kept}, indent=1) + "\n")
        print(f"recorded {len(kept)} exchanges")


if sys.argv[1] == "models":
    for name, data in models().items():
        pathlib.Path(sys.argv[2], f"{name}.onnx").write_bytes(data)
else:
    run(sys.argv[2], "--record" in sys.argv)
