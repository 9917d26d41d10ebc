"""
Drives the reference tools (their folder is the first argument; nothing of them is kept here) over cases on standard input
and writes their answers to standard output, both JSON. Each case has a fresh tool and a fresh folder below the second
argument. A result is put into words the way the reference's loop does.
"""
import asyncio
import importlib
import json
import os
import shutil
import signal
import stat
import sys
import types

tools, base = sys.argv[1], sys.argv[2]
# Type names that the reference only mentions in annotations.
beta = types.ModuleType("anthropic.types.beta")
beta.__getattr__ = lambda name: dict
for name in ("anthropic", "anthropic.types"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["anthropic.types.beta"] = beta
package = types.ModuleType("reference")
package.__path__ = [tools]
sys.modules["reference"] = package
ToolError = importlib.import_module("reference.base").ToolError


def put(root, name, spec):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if "link" in spec:
        os.symlink(spec["link"], path)
    elif "fifo" in spec:
        os.mkfifo(path)
    elif "folder" in spec:
        os.makedirs(path)
    else:
        data = bytes.fromhex(spec["hex"]) if "hex" in spec else spec["text"].encode("utf-8", "surrogatepass")
        with open(path, "wb") as file:
            file.write(data)
    if "mode" in spec:
        os.chmod(path, spec["mode"])


def placed(value, root):
    return json.loads(json.dumps(value).replace("DIRNAME", os.path.basename(root)).replace("DIR", root))


def as_answer(result):
    prefix = f"<system>{result.system}</system>\n" if result.system else ""
    if result.error:
        return {"is_error": True, "content": prefix + result.error}
    return {"is_error": False, "content": prefix + result.output if result.output else ""}


async def run_case(kind, case, root):
    module = importlib.import_module("reference." + ("edit" if kind == "editor" else "bash"))
    tool = module.EditTool() if kind == "editor" else module.BashTool()
    if kind == "bash":
        module._BashSession._timeout = float(case.get("timeout", 5))
    for name, spec in case.get("files", {}).items():
        put(root, name, spec)
    os.chdir(root)
    answers = []
    for call in case["calls"]:
        if case.get("hangs"):
            answers.append({"hang": True})
            continue
        try:
            answers.append(as_answer(await tool(**placed(call, root))))
        except ToolError as error:
            answers.append({"is_error": True, "content": error.message})
        except Exception as error:
            answers.append({"crash": type(error).__name__})
    session = getattr(tool, "_session", None)
    if session is not None and session._process.returncode is None:
        try:
            os.killpg(session._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        await session._process.wait()
    files = {}
    for name in ["f", *case.get("check", [])]:
        path = os.path.join(root, name)
        try:
            regular = stat.S_ISREG(os.stat(path).st_mode)
            files[name] = open(path, "rb").read().hex() if regular else None
        except OSError:
            files[name] = None
    text = json.dumps(answers).replace(json.dumps(root)[1:-1], "DIR").replace(os.path.basename(root), "DIRNAME")
    return {"answers": json.loads(text), "files": files}


async def main():
    results = []
    for index, item in enumerate(json.load(sys.stdin)):
        root = os.path.join(base, f"case{index:04}")
        os.makedirs(root)
        results.append(await run_case(item["kind"], item["case"], root))
        os.chdir("/")
        os.system(f"chmod -R u+rwx {root} 2>/dev/null")
        shutil.rmtree(root, ignore_errors=True)
    json.dump(results, sys.stdout)


asyncio.run(main())
