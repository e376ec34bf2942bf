//! Feeds `shell_line`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| analects_fuzz::shell_line(data));
