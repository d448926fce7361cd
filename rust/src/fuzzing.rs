//! What `rust/fuzz` calls: the readers and the judge beneath their Python faces.

use crate::columns::frame::Frame;
use crate::columns::ids;
use crate::errors::Bad;
use crate::judge::duplicates::Duplicates;
use crate::judge::judged::Judged;
use crate::judge::order::Order;
use crate::judge::pool::Pool;
use crate::judge::run::Run;
use crate::read::json::plan::{Plan, Wanted};
use crate::read::signals::{Progress, guarded};
use crate::read::source::Input;
use crate::read::{delimited, ipc, json, jsonl, parquet, trec};

fn read(text: &[u8], reader: impl Fn(Input<'_>) -> Result<Frame, Bad>) -> Option<Frame> {
    if Input::of(text).is_ok_and(|input| input.is_compressed()) {
        return None;
    }
    let lines = 1 + memchr::memchr_iter(b'\n', text).count() as u64;
    match Input::of(text).and_then(reader) {
        Ok(frame) => {
            used(&frame);
            assert!(frame.rows() == 0 || frame.lines().line(frame.rows() - 1) <= lines);
            Some(frame)
        }
        Err(Bad::Text { line, .. }) => {
            assert!(line <= lines, "an error on line {line} of {lines}");
            None
        }
        Err(bad) => panic!("no error of a text: {bad:?}"),
    }
}

fn used(frame: &Frame) {
    for (at, name) in frame.names().iter().enumerate() {
        let Ok(column) = frame.column(at) else {
            continue;
        };
        assert_eq!(column.len(), frame.rows());
        let _ = (column.to_arrow(), column.missing(), column.as_number(name, true));
        let _ = ids::codes(&column, name, None);
    }
}

/// TREC judgments.
pub fn qrels(text: &[u8]) {
    read(text, |input| trec::read_qrels(input, false));
}

/// TREC results.
pub fn run(text: &[u8]) {
    read(text, trec::read_run);
}

/// Delimited text.
pub fn delimited(text: &[u8]) {
    read(text, |input| delimited::read(input, b',', 0));
    read(text, |input| delimited::read(input, b'\t', 1));
}

/// JSON lines.
pub fn jsonl(text: &[u8]) {
    read(text, jsonl::read);
}

/// JSON documents, by plans with keys, places, shared values and further columns.
pub fn json(text: &[u8]) {
    let steps = |path: &str| path.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let columns = |names: &[(&str, &str)]| {
        names.iter().map(|(name, path)| ((*name).to_owned(), steps(path))).collect::<Vec<_>>()
    };
    let wanted = |rows: &str, further: bool, names: &[(&str, &str)]| -> Wanted {
        (String::new(), steps(rows), further, columns(names))
    };
    let plans = [
        wanted("* *", false, &[("q", "* @key"), ("d", "* * @key"), ("v", "* *")]),
        wanted(
            ".a [] .b []",
            true,
            &[
                ("q", ".a [] .q"),
                ("d", ".a [] .b [] .d"),
                ("d", ".a [] .b []"),
                ("r", ".a [] .b [] @place"),
            ],
        ),
        wanted("[]", true, &[]),
    ];
    for plan in plans {
        let plan = Plan::new(vec![plan]).unwrap_or_else(|path| panic!("no path: {path}"));
        for lined in [false, true] {
            read(text, |input| Ok(json::documents::read(input, &plan, lined)?.remove(0).1));
        }
    }
}

/// Decompression: gz, zst or plain.
pub fn source(bytes: &[u8]) {
    let _ = Input::of(bytes).and_then(Input::rest);
}

/// Parquet.
pub fn parquet(bytes: &[u8]) {
    columns(guarded(|| parquet::read_bytes(bytes, &Progress::default())));
}

/// Arrow files and streams.
pub fn arrow(bytes: &[u8]) {
    columns(guarded(|| ipc::read_bytes(bytes)));
}

fn columns(read: Result<Frame, Bad>) {
    match read {
        Ok(frame) => used(&frame),
        Err(Bad::Text { .. } | Bad::Io(_)) => (),
        Err(bad) => panic!("no error of a file: {bad:?}"),
    }
}

/// Judgments and results with an empty line between them, joined and ranked in every way.
pub fn judge(text: &[u8]) {
    let at = memchr::memmem::find(text, b"\n\n").unwrap_or(text.len());
    let (judgments, results) = text.split_at(at);
    let Some((judgments, results)) =
        read(judgments, |input| trec::read_qrels(input, false)).zip(read(results, trec::read_run))
    else {
        return;
    };
    for rule in [Duplicates::Error, Duplicates::First, Duplicates::Last, Duplicates::Max] {
        let _ = judged(&judgments, &results, rule);
    }
}

fn judged(judgments: &Frame, results: &Frame, rule: Duplicates) -> Result<(), Bad> {
    let pool =
        Pool::build(&judgments.column(0)?, &judgments.column(1)?, &judgments.column(2)?, rule)?;
    let (query, doc) = (results.column(0)?, results.column(1)?);
    let (rank, score) = (results.column(2)?.numbers()?, results.column(3)?.numbers()?);
    let run = Run::build(&query, &doc, Some(score), Some(rank), None, rule)?;
    for by in ["score", "rank", "given"] {
        for (ties, precision) in
            [("docid_desc", "float32"), ("docid_asc", "float64"), ("given", "float64")]
        {
            for gaps in ["close", "keep"] {
                let order = Order::new(&run, by, ties, precision, gaps)?;
                let sparse = Judged::build(&pool, &run, &order, false, None);
                let dense = Judged::build(&pool, &run, &order, true, None);
                assert_eq!(sparse.judged(), dense.judged());
            }
        }
    }
    Ok(())
}
