//! Hands the example shop to maturin, which puts it into the wheel: see `include` in pyproject.toml.

use std::{env, fs, io, path::Path};

const FILES: [&str; 7] = [
    "judgments.csv",
    "queries.csv",
    "products.csv",
    "bm25.csv",
    "hybrid.csv",
    "all.sql",
    "any.sql",
];

fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").expect("cargo says where to write");
    let folder = Path::new(&out).join("shop");
    fs::create_dir_all(&folder)?;
    for name in FILES {
        let file = Path::new("examples/shop").join(name);
        println!("cargo::rerun-if-changed={}", file.display());
        fs::copy(file, folder.join(name))?;
    }
    Ok(())
}
