#![no_main]

// The crates that read these files panic on some broken ones, which the reader catches: so may the fuzzer's hook not abort.
libfuzzer_sys::fuzz_target!(
    init: drop(std::panic::take_hook()),
    |bytes: &[u8]| _core::fuzzing::arrow(bytes)
);
