#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| _core::fuzzing::json(bytes));
