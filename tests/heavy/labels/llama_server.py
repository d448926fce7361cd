"""Run llama.cpp's server, from a Python package, on a model of random weights, until the input ends.

The model is a real GGUF of 355 kB: a vocabulary of bytes, one block, weights from a seed. What it says has no sense;
that it is asked and answers as any model does is real, and so are the server's errors.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import gguf
import numpy as np
import xllamacpp

WIDTH, INNER, HEADS, CONTEXT = 64, 128, 4, 8192
BLOCK = {"ffn_gate": (INNER, WIDTH), "ffn_up": (INNER, WIDTH), "ffn_down": (WIDTH, INNER)}
BLOCK |= {f"attn_{name}": (WIDTH, WIDTH) for name in ("q", "k", "v", "output")}
NORMS = ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm")


def write_model(path: Path) -> None:
    """Write the model."""
    rng, out = np.random.default_rng(0), gguf.GGUFWriter(str(path), "llama")
    out.add_context_length(CONTEXT)
    out.add_embedding_length(WIDTH)
    out.add_block_count(1)
    out.add_feed_forward_length(INNER)
    out.add_head_count(HEADS)
    out.add_head_count_kv(HEADS)
    out.add_rope_dimension_count(WIDTH // HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_file_type(gguf.LlamaFileType.ALL_F32)
    words = add_vocabulary(out)
    shapes = {"token_embd": (words, WIDTH), "output": (words, WIDTH)}
    for name, shape in (shapes | {f"blk.0.{name}": shape for name, shape in BLOCK.items()}).items():
        out.add_tensor(f"{name}.weight", (rng.standard_normal(shape) * 0.1).astype(np.float32))
    for name in NORMS:
        out.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def add_vocabulary(out: gguf.GGUFWriter) -> int:
    """Add a vocabulary of bytes and printable signs, and how a chat is written; return its size."""
    kind = gguf.TokenType
    words = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581", *map(chr, range(33, 127))]
    out.add_tokenizer_model("llama")
    out.add_token_list(words)
    out.add_token_types(
        [kind.UNKNOWN, kind.CONTROL, kind.CONTROL, *[kind.BYTE] * 256, *[kind.NORMAL] * (len(words) - 259)]
    )
    out.add_vocab_size(len(words))
    out.add_token_scores([0.0] * len(words))
    out.add_unk_token_id(0)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_chat_template("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:")
    return len(words)


def main(folder: Path) -> None:
    """Start the server on a free port, print its address, and stop it at the end of the input."""
    model = folder / "model.gguf"
    write_model(model)
    wishes = xllamacpp.CommonParams()
    wishes.model.path, wishes.port, wishes.n_ctx, wishes.n_parallel = str(model), 0, CONTEXT, 2
    wishes.cpuparams.n_threads, wishes.warmup, wishes.offline = 1, False, True
    server = xllamacpp.Server(wishes)  # it stops when nothing refers to it any more
    print(f"READY {server.listening_address}", flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="llama-") as temporary:
        main(Path(temporary))
