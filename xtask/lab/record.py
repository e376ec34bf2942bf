"""Records what llama.cpp really sends: head and body of each answer, byte for byte.

    python record.py --port N --key KEY --out DIRECTORY
"""

import argparse
import json
import pathlib
import socket

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "legs": {"type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["name", "legs"],
    "additionalProperties": False,
}
PATHS = {"type": "object", "properties": {"path": {"type": "string", "maxLength": 20}}, "required": ["path"]}
BRIEF = "You are brief."
ASKED = {"role": "user", "content": "Name three colours."}
TOO_LONG = {"role": "user", "content": "heron pond " * 2100}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--key", required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options = options.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, (path, body) in REQUESTS.items():
        key = "wrong" if name == "wrong-key" else options.key
        answer = ask(options.port, key, path, body)
        (options.out / f"llama-{name}.txt").write_bytes(answer)
        print(f"llama-{name}.txt: {len(answer)} bytes")


def ask(port, key, path, body):
    text = json.dumps(body).encode() if body else b""
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    head += f"Authorization: Bearer {key}\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
        wire.sendall(head.encode() + b"\r\n" + text)
        return b"".join(iter(lambda: wire.recv(65536), b""))


def chat(max_tokens, messages, **more):
    options = {"stream": True, "stream_options": {"include_usage": True}, "max_tokens": max_tokens, "temperature": 0}
    return "/v1/chat/completions", {"model": "smollm2", **options, "messages": messages, **more}


def messages(max_tokens, messages, **more):
    options = {"stream": True, "max_tokens": max_tokens, "temperature": 0}
    return "/v1/messages", {"model": "smollm2", **options, "messages": messages, **more}


def chat_calls():
    """A history with two calls at once, after which the model makes two calls at once too."""
    call = lambda n, path: {"id": f"call_{n}", "type": "function", "function": {"name": "read_file", "arguments": json.dumps({"path": path})}}
    answer = lambda n: {"role": "tool", "tool_call_id": f"call_{n}", "content": "empty"}
    return [
        {"role": "user", "content": "Read a.txt and b.txt."},
        {"role": "assistant", "content": None, "tool_calls": [call(1, "a.txt"), call(2, "b.txt")]},
        answer(1),
        answer(2),
        {"role": "assistant", "content": "Both are empty."},
        {"role": "user", "content": "Read c.txt and d.txt."},
    ]


def messages_call():
    return [
        {"role": "user", "content": "Read the file a.txt."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "read_file", "input": {"path": "a.txt"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "It is empty."}]},
        {"role": "assistant", "content": "The file is empty."},
        {"role": "user", "content": "Read the file notes.txt."},
    ]


TOOL = {"name": "read_file", "description": "Reads a file."}
REQUESTS = {
    "models": ("/v1/models", None),
    "wrong-key": chat(8, [ASKED]),
    "chat": chat(8, [{"role": "system", "content": BRIEF}, ASKED]),
    "chat-without-usage": chat(3, [ASKED], stream_options=None),
    "chat-calls": chat(
        90,
        chat_calls(),
        tools=[{"type": "function", "function": {**TOOL, "parameters": PATHS}}],
        parallel_tool_calls=True,
    ),
    "chat-schema": chat(
        60,
        [{"role": "user", "content": "Describe a heron."}],
        response_format={"type": "json_schema", "json_schema": {"name": "bird", "strict": True, "schema": SCHEMA}},
    ),
    "chat-too-large": chat(8, [TOO_LONG]),
    "chat-refused": chat(8, [{"role": "user", "content": 7}]),
    "messages": messages(8, [ASKED], system=[{"type": "text", "text": BRIEF, "cache_control": {"type": "ephemeral"}}]),
    "messages-call": messages(90, messages_call(), tools=[{**TOOL, "input_schema": PATHS}]),
    "messages-too-large": messages(8, [TOO_LONG]),
    "messages-count": ("/v1/messages/count_tokens", {"model": "smollm2", "system": BRIEF, "messages": [ASKED]}),
}

main()
