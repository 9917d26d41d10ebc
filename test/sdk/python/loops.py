"""Computer-use loops as programs of 2024 and 2025 have them, with what those send.

Their ways: a reply's blocks are sent back as `model_dump()` gives them, so with null for what was not there; the newest
user turns carry cache breakpoints, or old pictures go; tools come under the beta of their generation, and a budget to think
comes in the extra body.
"""

import base64
import struct
import zlib

EDITORS = {
    "20241022": {"type": "text_editor_20241022", "name": "str_replace_editor"},
    "20250124": {"type": "text_editor_20250124", "name": "str_replace_editor"},
    "20250429": {"type": "text_editor_20250429", "name": "str_replace_based_edit_tool"},
}


def tools_of(computer, editor):
    return [
        {
            "name": "computer",
            "type": f"computer_{computer}",
            "display_width_px": 1024,
            "display_height_px": 768,
            "display_number": None,
        },
        EDITORS[editor],
        {"type": f"bash_{computer}", "name": "bash"},
    ]


def png(width=8, height=8):
    """A picture of one colour."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + b"\x7f\x7f\x7f" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


def sent_back(reply):
    """Texts by themselves where they say something, every other block as it dumps itself."""
    blocks = []
    for block in reply.content:
        if block.type != "text":
            blocks.append(block.model_dump())
        elif block.text:
            blocks.append({"type": "text", "text": block.text})
    return blocks


def result_of(use):
    """What the tool made of it: an error is a text, everything else a list, which may be empty."""
    result = {"type": "tool_result", "tool_use_id": use["id"], "is_error": False, "content": []}
    if use["name"] == "computer":
        source = {"type": "base64", "media_type": "image/png", "data": png()}
        result["content"] = [{"type": "image", "source": source}]
        if use["input"].get("action") == "cursor_position":
            result["content"].insert(0, {"type": "text", "text": "X=1,Y=2"})
    elif use["name"] != "bash":
        result.update(is_error=True, content="<system>Tool has been restarted.</system>\nNo such file")
    return result


def mark_newest(messages):
    """Breakpoints on the three newest user turns; the one before them gives its up."""
    left = 3
    for message in reversed(messages):
        if message["role"] != "user" or not isinstance(message["content"], list):
            continue
        if left == 0:
            message["content"][-1].pop("cache_control", None)
            return
        message["content"][-1]["cache_control"] = {"type": "ephemeral"}
        left -= 1


def pictures_of(messages):
    results = [
        block
        for message in messages
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result" and isinstance(block["content"], list)
    ]
    return [(result, part) for result in results for part in result["content"] if part["type"] == "image"]


def drop_old_pictures(messages, keep, chunk):
    pictures = pictures_of(messages)
    more = len(pictures) - keep
    more -= more % chunk
    for result, part in pictures[: max(0, more)]:
        result["content"] = [each for each in result["content"] if each is not part]


def run(create, *, model, task, betas, tools, caching=True, keep_pictures=None, thinking_budget=None):
    """Asks until a reply uses no tool. Answers with the conversation."""
    system = {"type": "text", "text": "You are using an Ubuntu virtual machine."}
    messages = [{"role": "user", "content": [{"type": "text", "text": task}]}]
    betas = list(betas)
    if caching:
        betas.append("prompt-caching-2024-07-31")
        system["cache_control"] = {"type": "ephemeral"}
    while True:
        if caching:
            mark_newest(messages)
        elif keep_pictures is not None:
            drop_old_pictures(messages, keep_pictures, keep_pictures)
        thinking = {"thinking": {"type": "enabled", "budget_tokens": thinking_budget}} if thinking_budget else {}
        reply = create(
            model=model,
            max_tokens=4096,
            messages=messages,
            system=[system],
            tools=tools,
            betas=betas,
            extra_body=thinking,
        )
        blocks = sent_back(reply)
        messages.append({"role": "assistant", "content": blocks})
        results = [result_of(block) for block in blocks if block["type"] == "tool_use"]
        if not results:
            return messages
        messages.append({"role": "user", "content": results})
