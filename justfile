# The menu of `cargo xtask`.

check:
    cargo fmt --all --check && cargo clippy --workspace --all-targets -- -D warnings

test:
    cargo test --workspace

bless:
    UPDATE_EXPECT=1 cargo test --workspace && cargo xtask docs

bench:
    cargo bench --workspace

deny:
    cargo xtask deny

differ:
    cargo xtask differ

docs:
    cargo xtask docs

faults:
    cargo xtask faults

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

compare:
    cargo xtask compare

fidelity:
    cargo xtask fidelity

fuzz:
    cargo xtask fuzz

ci:
    cargo xtask ci

extract-peer:
    cargo xtask extract-peer

goldens:
    cargo xtask goldens

search:
    cargo xtask search

tidy:
    cargo xtask tidy
