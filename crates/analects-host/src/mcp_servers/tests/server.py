"""A server for one test; what it does, good or bad, is the first argument."""
import json
import os
import signal
import subprocess
import sys

MODE = sys.argv[1]


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def answer(asked, result):
    say({"jsonrpc": "2.0", "id": asked["id"], "result": result})


def ask(method, params):
    """Asks the client something, and takes what it answers."""
    say({"jsonrpc": "2.0", "id": "ours-" + method, "method": method, "params": params})
    while True:
        heard = hear()
        if heard.get("id") == "ours-" + method:
            return heard.get("result", heard.get("error"))


def never():
    while True:
        signal.pause()


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def tool(name, **more):
    schema = {"type": "object", "properties": {"word": {"type": "string"}}}
    return {"name": name, "description": "Says it again.", "inputSchema": schema, **more}


def initialize(asked):
    if MODE == "silent":
        never()
    if MODE == "garbage":
        while True:
            sys.stdout.write("this is no JSON, and it does not end\n" * 100)
    if MODE == "long-line":
        while True:
            sys.stdout.write("x" * 65536)
    if MODE == "wrong-id":
        asked["id"] = 4711
    if MODE == "refuses":
        say({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32000, "message": "go away, " + os.environ["TOKEN"]}})
        never()
    version = "2024-11-05" if MODE == "old" else asked["params"]["protocolVersion"]
    answer(asked, {
        "protocolVersion": version,
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "pond", "version": "1"},
        "instructions": "Feed the ducks.",
    })


def list_tools(asked):
    cursor = (asked.get("params") or {}).get("cursor")
    if MODE == "mute-list":
        never()
    if MODE == "endless-list":
        answer(asked, {"tools": [tool("t" + str(cursor))], "nextCursor": str(int(cursor or 0) + 1)})
    elif MODE == "same-page":
        answer(asked, {"tools": [tool("t")], "nextCursor": "again"})
    elif MODE == "lies":
        deep = {}
        for _ in range(60):
            deep = {"properties": {"a": deep}}
        answer(asked, {"tools": [
            tool("no-object", inputSchema="string"), tool("deep", inputSchema=deep),
            tool("huge", inputSchema={"x": "y" * 100000}), {"inputSchema": {}}, 7, tool("good"),
        ]})
    elif cursor is None:
        answer(asked, {"tools": [tool("echo", annotations={"readOnlyHint": True})], "nextCursor": "2"})
    else:
        answer(asked, {"tools": [tool("quack")]})


def call(asked):
    params = asked["params"]
    word = params["arguments"].get("word", "")
    if MODE == "dies":
        sys.stderr.write("KeyError: " + os.environ["TOKEN"] + "\n")
        sys.exit(3)
    if MODE == "mute-call":
        token = params["_meta"]["progressToken"]
        say({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})
        # Whoever asked hangs up, and says so.
        told = hear()
        with open(os.environ["NOTES"], "w") as notes:
            notes.write(told["method"])
        never()
    if MODE == "deaf":
        never()
    if MODE == "wrong-answer":
        say({"jsonrpc": "2.0", "id": 4711, "result": text("wrong")})
        never()
    if MODE == "asks":
        answer(asked, text(json.dumps({
            "sampling": ask("sampling/createMessage", {"messages": [], "maxTokens": 1}).get("code"),
            "person": ask("elicitation/create", {"message": "Your password?", "requestedSchema": {"type": "object", "properties": {}}}).get("action"),
            "dance": ask("dance", {}).get("code"),
            "ping": ask("ping", {}),
            "roots": ask("roots/list", {})["roots"],
        }, sort_keys=True)))
        return
    if MODE == "floods":
        while True:
            say({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * 500000}})
    token = params["_meta"]["progressToken"]
    say({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "total": 2, "message": "half"}})
    answer(asked, text(params["name"] + ": " + word, isError=word == "fail"))


if MODE == "dies-at-once":
    sys.stderr.write("no way: " + os.environ["TOKEN"] + "\n\n")
    sys.exit(3)
if MODE == "family":
    # One that stays, and one that left for a session of its own and does not want to go.
    stays = subprocess.Popen(["sleep", "1000"])
    left = subprocess.Popen(["sh", "-c", "trap '' TERM; echo $$ >> \"$NOTES\"; exec sleep 1000"], start_new_session=True)
    with open(os.environ["NOTES"], "a") as notes:
        notes.write(f"{os.getpid()}\n{stays.pid}\n")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

while True:
    heard = hear()
    if MODE == "chatty":
        print("DEBUG heard", heard["method"])
        print("[1, 2")
    {"initialize": initialize, "tools/list": list_tools, "tools/call": call}.get(heard["method"], lambda _: None)(heard)
