//! Arrow IPC files and streams, checked before memory is taken on their word.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::writer::FileWriter;
use arrow_ipc::{Block, Message, root_as_footer, root_as_message};
use arrow_schema::SchemaRef;

use crate::columns::frame::Frame;
use crate::errors::Bad;
use crate::read::signals::Progress;
use crate::read::source::{Input, ROW, Source, most_unpacked};

const MAGIC: &[u8] = b"ARROW1";

/// Comes before the size of a message, but in files of the oldest versions.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The footer's size and the magic bytes at the end of a file.
const TRAILER: usize = 10;

/// Reads an Arrow file or stream.
pub fn read(source: &Source, progress: &Progress) -> Result<Frame, Bad> {
    read_of(|| source.open(progress))
}

/// Reads an Arrow file or stream in memory.
pub fn read_bytes(bytes: &[u8]) -> Result<Frame, Bad> {
    read_of(|| Input::of(bytes))
}

/// Writes an Arrow file, uncompressed.
pub fn write(batch: &RecordBatch) -> Result<Vec<u8>, Bad> {
    let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).map_err(Bad::corrupt)?;
    file.write(batch).map_err(Bad::corrupt)?;
    file.into_inner().map_err(Bad::corrupt)
}

fn read_of<'a>(open: impl Fn() -> Result<Input<'a>, Bad>) -> Result<Frame, Bad> {
    let mut magic = [0; MAGIC.len()];
    if open()?.fill(&mut magic)? == 0 {
        return Err(Bad::text("empty", 0, "", b""));
    }
    let bytes = Buffer::from_vec(open()?.rest()?);
    let most = most_unpacked(bytes.len() as u64);
    let (schema, batches) = if magic == MAGIC {
        file(&bytes, &mut Room(most))?
    } else {
        stream(bytes, &mut Room(most))?
    };
    Ok(Frame::of_batches(&schema, &batches))
}

/// The batches of a file.
fn file(bytes: &Buffer, room: &mut Room) -> Result<(SchemaRef, Vec<RecordBatch>), Bad> {
    let (rest, trailer) = bytes.split_last_chunk::<TRAILER>().ok_or_else(cut_off)?;
    let size = read_footer_length(*trailer).map_err(Bad::corrupt)?;
    let start = rest.len().checked_sub(size).ok_or_else(cut_off)?;
    let footer = root_as_footer(&rest[start..]).map_err(Bad::corrupt)?;
    let schema = footer.schema().ok_or_else(|| Bad::corrupt("no schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(Bad::corrupt("written in another byte order than this machine's"));
    }
    let schema = Arc::new(fb_to_schema(schema));
    let mut decoder = FileDecoder::new(schema.clone(), footer.version());
    for block in footer.dictionaries().iter().flatten() {
        decoder.read_dictionary(block, &part(bytes, block, room)?).map_err(Bad::corrupt)?;
    }
    let mut batches = Vec::new();
    for block in footer.recordBatches().iter().flatten() {
        batches.extend(
            decoder.read_record_batch(block, &part(bytes, block, room)?).map_err(Bad::corrupt)?,
        );
    }
    Ok((schema, batches))
}

/// The batches of a stream.
fn stream(bytes: Buffer, room: &mut Room) -> Result<(SchemaRef, Vec<RecordBatch>), Bad> {
    check_stream(&bytes, room)?;
    let (mut decoder, mut rest, mut batches) = (StreamDecoder::new(), bytes, Vec::new());
    while !rest.is_empty() && !rest.starts_with(&[0; 4]) && !ended(&rest) {
        batches.extend(decoder.decode(&mut rest).map_err(Bad::corrupt)?);
    }
    decoder.finish().map_err(Bad::corrupt)?;
    let schema = decoder.schema().ok_or_else(|| Bad::corrupt("no schema"))?;
    Ok((schema, batches))
}

fn ended(rest: &[u8]) -> bool {
    rest.starts_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
}

fn cut_off() -> Bad {
    Bad::corrupt("cut off")
}

/// The message of a block and its body.
fn part(bytes: &Buffer, block: &Block, room: &mut Room) -> Result<Buffer, Bad> {
    let number = |value: i64| usize::try_from(value).ok();
    let head = number(i64::from(block.metaDataLength())).ok_or_else(cut_off)?;
    let whole = number(block.bodyLength()).and_then(|body| body.checked_add(head));
    let (start, size) = (number(block.offset()).ok_or_else(cut_off)?, whole.ok_or_else(cut_off)?);
    if start.checked_add(size).is_none_or(|end| end > bytes.len()) {
        return Err(cut_off());
    }
    let part = bytes.slice_with_length(start, size);
    let (message, body) = part.split_at(head);
    let prefix = if message.starts_with(&CONTINUATION) { 8 } else { 4 };
    let message = message.get(prefix..).ok_or_else(cut_off)?;
    check(&root_as_message(message).map_err(Bad::corrupt)?, body, room)?;
    Ok(part)
}

/// Checks the messages one behind the other, as far as they can be read.
fn check_stream(bytes: &[u8], room: &mut Room) -> Result<(), Bad> {
    let mut rest = bytes;
    loop {
        rest = rest.strip_prefix(&CONTINUATION).unwrap_or(rest);
        let Some((size, after)) = rest.split_first_chunk::<4>() else {
            return Ok(());
        };
        let Some((head, after)) = after.split_at_checked(u32::from_le_bytes(*size) as usize) else {
            return Ok(());
        };
        if head.is_empty() {
            return Ok(());
        }
        let message = root_as_message(head).map_err(Bad::corrupt)?;
        let size = usize::try_from(message.bodyLength()).map_err(Bad::corrupt)?;
        let Some((body, after)) = after.split_at_checked(size) else {
            return Ok(());
        };
        check(&message, body, room)?;
        rest = after;
    }
}

/// The bytes that the batches of a file may still take.
struct Room(u64);

impl Room {
    fn take(&mut self, bytes: u64) -> Result<(), Bad> {
        let left = self.0.checked_sub(bytes);
        self.0 = left.ok_or_else(|| Bad::text("bomb", 0, "", b""))?;
        Ok(())
    }
}

/// Refuses a batch that wants more memory than there is, or than a file of this size may take: sizes of compressed
/// buffers are only said, and a value that all rows share takes a few bytes.
fn check(message: &Message<'_>, body: &[u8], room: &mut Room) -> Result<(), Bad> {
    let dictionary = || message.header_as_dictionary_batch().and_then(|batch| batch.data());
    let Some(batch) = message.header_as_record_batch().or_else(dictionary) else {
        return Ok(());
    };
    room.take(u64::try_from(batch.length()).unwrap_or(0).saturating_mul(ROW))?;
    if batch.compression().is_none() {
        return Ok(());
    }
    for buffer in batch.buffers().iter().flatten() {
        let start = usize::try_from(buffer.offset()).unwrap_or(usize::MAX);
        let said = body.get(start..).and_then(|bytes| bytes.first_chunk::<8>());
        let size = said.map_or(0, |bytes| i64::from_le_bytes(*bytes));
        let wanted = usize::try_from(size).unwrap_or(0);
        Vec::<u8>::new().try_reserve_exact(wanted).map_err(|_| {
            Bad::corrupt(format!("a compressed part is said to hold {wanted} bytes"))
        })?;
        room.take(wanted as u64)?;
    }
    Ok(())
}
