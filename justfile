# The menu of `cargo xtask`.

check:
    cargo fmt --all --check && cargo clippy --workspace --all-targets -- -D warnings

test:
    cargo test --workspace

bless:
    UPDATE_EXPECT=1 cargo test --workspace && cargo xtask docs

bench:
    cargo bench --workspace

docs:
    cargo xtask docs

hosts:
    cargo xtask hosts

dist:
    cargo xtask dist

small-model:
    cargo xtask small-model

gemini-wire:
    cargo xtask gemini-wire

mcp-peers:
    cargo xtask mcp-peers

bench-mcp:
    cargo xtask bench-mcp

fidelity:
    cargo xtask fidelity

fuzz:
    cargo xtask fuzz
