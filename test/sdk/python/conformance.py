"""The official Python client, unmodified, against a server at BASE_URL whose models do what the last message says.

Prints a line for each check, `ok <name>` or `FAIL <name>: <what>`; test/sdk/python.test.ts reads them.
"""

import asyncio
import io
import os
import pathlib
import tempfile
import time
import traceback

import anthropic
from anthropic import Anthropic, AsyncAnthropic, beta_tool
from pydantic import BaseModel

import loops

BASE_URL = os.environ["BASE_URL"]
MODEL = "claude-python"
WEATHER = {
    "name": "get_weather",
    "description": "Tells the weather",
    "input_schema": {
        "type": "object",
        "properties": {"location": {"type": "string"}},
        "required": ["location"],
    },
}
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def client(**options):
    return Anthropic(base_url=BASE_URL, api_key="sk-client", **{"max_retries": 0, **options})


def ask(text="Hello", **change):
    return {"model": MODEL, "max_tokens": 1024, "messages": [{"role": "user", "content": text}], **change}


def raised(function, kind):
    try:
        function()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


@check
def messages():
    message = client().messages.create(**ask())
    assert message.content[0].text == "Hello there. You can unwrap() it.", message
    assert message.stop_reason == "end_turn" and message.model == MODEL
    assert message.usage.input_tokens == 30
    assert message._request_id.startswith("req_")


@check
def raw_responses():
    response = client().messages.with_raw_response.create(**ask())
    assert response.headers["request-id"] == response.request_id
    assert response.parse().role == "assistant"


@check
def betas_of_header_and_body():
    message = client().beta.messages.create(**ask(), betas=["files-api-2025-04-14"])
    assert message.type == "message"
    client().messages.create(**ask(), extra_headers={"anthropic-beta": "one,two"})


@check
def streamed_events():
    types = [event.type for event in client().messages.create(**ask(), stream=True)]
    assert types[0] == "message_start" and types[-1] == "message_stop", types


@check
def streaming_helper():
    with client().messages.stream(**ask(tools=[WEATHER])) as stream:
        texts = list(stream.text_stream)
        message = stream.get_final_message()
    assert "".join(texts) == "I use the tools." and len(texts) > 1
    assert message.content[-1].input == {"location": "a location"}
    assert message.stop_reason == "tool_use" and message.usage.output_tokens == 12
    with client().messages.stream(**ask()) as stream:
        assert stream.get_final_text() == "Hello there. You can unwrap() it."
    assert stream.request_id.startswith("req_")


@check
def thinking_in_streams():
    with client().messages.stream(**ask(max_tokens=4096, thinking={"type": "enabled", "budget_tokens": 2000})) as stream:
        kinds = {event.type for event in stream}
        message = stream.get_final_message()
    assert {"thinking", "signature", "text"} <= kinds, kinds
    assert message.content[0].thinking == "Let me think."


@check
def tools():
    asked = client().messages.create(**ask(tools=[WEATHER]))
    use = next(block for block in asked.content if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": use.id, "content": "20 degrees"}
    done = client().messages.create(
        **ask(
            tools=[WEATHER],
            messages=[
                {"role": "user", "content": "What is the weather?"},
                {"role": asked.role, "content": asked.content},
                {"role": "user", "content": [result]},
            ],
        )
    )
    assert done.stop_reason == "end_turn"


TASK = """
- computer: {action: screenshot}
- bash: ls
- computer: {action: mouse_move, coordinate: [10, 20]}
- computer: {action: cursor_position}
- computer: {action: screenshot}
- computer: {action: left_click}
- edit: {command: view, path: /nowhere}
"""


def looped(computer, editor, **change):
    asked = []

    def create(**request):
        raw = client().beta.messages.with_raw_response.create(**request)
        asked.append(raw.headers["request-id"])
        return raw.parse()

    beta = f"computer-use-{computer[:4]}-{computer[4:6]}-{computer[6:]}"
    options = {"model": "script", "betas": [beta], "tools": loops.tools_of(computer, editor), "task": TASK, **change}
    turns = loops.run(create, **options)
    uses = [block for turn in turns if turn["role"] == "assistant" for block in turn["content"] if block["type"] == "tool_use"]
    assert len(uses) == 7 and len(asked) == 8, turns
    assert all(use["caller"] == {"type": "direct"} for use in uses), uses
    # The last result is an error, which ends a script.
    assert turns[-1]["content"][0]["text"].endswith("No such file"), turns[-1]
    return turns


@check
def loop_of_october_2024():
    looped("20241022", "20241022")


@check
def loop_that_keeps_the_newest_pictures():
    turns = looped("20241022", "20241022", caching=False, keep_pictures=2)
    assert 2 <= len(loops.pictures_of(turns)) <= 3, turns


@check
def loop_of_february_2025():
    looped("20250124", "20250124")


@check
def loop_that_thinks():
    looped("20250124", "20250124", thinking_budget=2048)


@check
def loop_of_may_2025():
    looped("20250124", "20250429", betas=["computer-use-2025-01-24", "token-efficient-tools-2025-02-19"])


@check
def dumped_replies():
    request = ask(max_tokens=4096, tools=[WEATHER], thinking={"type": "enabled", "budget_tokens": 2000})

    def streamed(create):
        with create(**request) as stream:
            return stream.get_final_message()

    for resource in (client().messages, client().beta.messages):
        for reply in (resource.create(**request), streamed(resource.stream)):
            blocks = [block.model_dump() for block in reply.content]
            use = blocks[-1]
            assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use"], blocks
            assert use["caller"] == {"type": "direct"}, use
            # A client that was given no caller, or whose types have none, sends null or nothing.
            for caller in ({}, {"caller": None}, {"caller": use["caller"]}):
                dumped = {key: value for key, value in use.items() if key != "caller"}
                result = {"type": "tool_result", "tool_use_id": use["id"], "content": None, "is_error": None}
                done = resource.create(
                    **{
                        **request,
                        "messages": [
                            *request["messages"],
                            {"role": "assistant", "content": [*blocks[:-1], {**dumped, **caller}]},
                            {"role": "user", "content": [result]},
                        ],
                    }
                )
                assert done.stop_reason == "end_turn", done


@check
def tool_runner():
    ran = []

    @beta_tool
    def weather(location: str) -> str:
        """Tells the weather.

        Args:
            location: Where.
        """
        ran.append(location)
        return f"20 degrees in {location}"

    runner = client().beta.messages.tool_runner(**ask(), tools=[weather], max_iterations=4)
    final = runner.until_done()
    assert final.stop_reason == "end_turn" and ran == ["a location"], (final, ran)


@check
def structured_outputs():
    class Order(BaseModel):
        name: str
        price: float

    message = client().messages.parse(**ask(), output_format=Order)
    assert message.parsed_output == Order(name="a name", price=7), message


@check
def batches():
    made = client().messages.batches.create(
        requests=[
            {"custom_id": "good", "params": ask()},
            {"custom_id": "bad", "params": ask(messages=[])},
        ]
    )
    assert made.processing_status == "in_progress"
    while (batch := client().messages.batches.retrieve(made.id)).processing_status != "ended":
        time.sleep(0.05)
    assert (batch.request_counts.succeeded, batch.request_counts.errored) == (1, 1)
    results = {line.custom_id: line.result for line in client().messages.batches.results(made.id)}
    assert results["good"].message.stop_reason == "end_turn"
    assert results["bad"].error.error.type == "invalid_request_error"
    other = client().beta.messages.batches.create(requests=[{"custom_id": "one", "params": ask()}])
    client().messages.batches.cancel(other.id)
    assert [each.id for each in client().messages.batches.list(limit=1)] == [other.id, made.id]
    assert client().messages.batches.delete(made.id).type == "message_batch_deleted"


@check
def files():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "Grüße.txt")
        path.write_text("A text of a file")
        made = client().files.upload(file=path)
    assert (made.filename, made.mime_type, made.size_bytes, made.downloadable) == ("Grüße.txt", "text/plain", 16, True), made
    other = client().beta.files.upload(
        file=("a.bin", io.BytesIO(b"\x00" * 300_000), "application/x-own"), betas=["files-api-2025-04-14"]
    )
    assert other.mime_type == "application/x-own" and other.size_bytes == 300_000
    assert [each.id for each in client().files.list(limit=1)] == [other.id, made.id]
    assert client().files.download(made.id).read() == b"A text of a file"
    source = {"type": "document", "source": {"type": "file", "file_id": made.id}}
    read = client().beta.messages.create(**ask(messages=[{"role": "user", "content": [source]}]))
    assert read.stop_reason == "end_turn"
    for each in (made, other):
        assert client().files.delete(each.id).id == each.id
    raised(lambda: client().files.retrieve_metadata(made.id), anthropic.NotFoundError)


@check
def counting():
    assert client().messages.count_tokens(model=MODEL, messages=ask()["messages"]).input_tokens == 42
    asked = {"model": "script", "messages": ask()["messages"]}
    plain = client().beta.messages.count_tokens(**asked).input_tokens
    tools = client().beta.messages.count_tokens(
        **asked, tools=[{"type": "bash_20241022", "name": "bash"}], betas=["computer-use-2024-10-22"]
    )
    assert tools.input_tokens - plain == 466 + 245, (tools, plain)


@check
def models():
    listed = [model.id for model in client().models.list(limit=2)]
    assert listed == ["claude-python", "claude-1", "claude-2", "script"], listed
    assert client().beta.models.retrieve("claude-1").type == "model"
    raised(lambda: client().models.retrieve("claude-none"), anthropic.NotFoundError)


@check
def typed_errors():
    kinds = {
        400: anthropic.BadRequestError,
        401: anthropic.AuthenticationError,
        403: anthropic.PermissionDeniedError,
        404: anthropic.NotFoundError,
        413: anthropic.RequestTooLargeError,
        429: anthropic.RateLimitError,
        500: anthropic.InternalServerError,
        504: anthropic.DeadlineExceededError,
        529: anthropic.OverloadedError,
    }
    for status, kind in kinds.items():
        for change in ({}, {"stream": True}):
            error = raised(lambda: client().messages.create(**ask(f"fault {status}"), **change), kind)
            assert error.status_code == status and error.request_id.startswith("req_"), error
            assert error.body["type"] == "error", error.body


@check
def errors_of_requests():
    error = raised(lambda: client().messages.create(**ask(messages=[])), anthropic.BadRequestError)
    assert "messages: at least one message is required" in str(error), error
    raised(lambda: client().messages.create(**ask(model="gpt-x")), anthropic.NotFoundError)


@check
def streams_that_fail_half_way():
    for text, kind in (("error event", "overloaded_error"), ("cut stream", "api_error")):
        said = []

        def read():
            with client().messages.stream(**ask(text)) as stream:
                said.extend(stream.text_stream)

        error = raised(read, anthropic.APIStatusError)
        assert said and error.body["error"]["type"] == kind, (text, error.body)


@check
def retries():
    for fault in ("429 once", "529 twice", "500 once"):
        text = f"retry {fault} {time.time()}"
        message = client(max_retries=2).messages.create(**ask(text))
        assert message.stop_reason == "end_turn"
    raised(lambda: client(max_retries=1).messages.create(**ask(f"retry 429 thrice {time.time()}")), anthropic.RateLimitError)


@check
def timeouts():
    raised(lambda: client(timeout=0.3).messages.create(**ask("hang")), anthropic.APITimeoutError)


@check
def leaving_a_stream():
    with client().messages.stream(**ask("held stream")) as stream:
        next(iter(stream.text_stream))


@check
def asynchronous():
    async def run():
        async with AsyncAnthropic(base_url=BASE_URL, api_key="sk-client", max_retries=0) as other:
            many = await asyncio.gather(*(other.messages.create(**ask()) for _ in range(8)))
            assert all(message.stop_reason == "end_turn" for message in many)
            async with other.messages.stream(**ask()) as stream:
                texts = [text async for text in stream.text_stream]
            assert "".join(texts) == "Hello there. You can unwrap() it."
            assert [model.id async for model in other.models.list(limit=1)][0] == MODEL

    asyncio.run(run())


print(f"anthropic {anthropic.__version__}", flush=True)
for function in CHECKS:
    try:
        function()
        print(f"ok {function.__name__}", flush=True)
    except BaseException as error:  # One that fails says so, and the others run.
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        print(f"FAIL {function.__name__}: {''.join(lines[-3:])!r}", flush=True)
