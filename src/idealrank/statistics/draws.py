"""The source of random numbers: a seed, and a separate stream for every method."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from idealrank.arrays import Floats, Ints
from idealrank.errors import UsageError, option, refuse_count
from idealrank.statistics.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWS = 10_000
"""Default number of draws of a simulation."""

CHUNK = 1_000_000
"""Most numbers drawn at a time: 8 MB, small enough that memory is reused rather than requested again."""

CLOSE = 1e-10
"""Sums of rounded numbers are equal if they differ by less than this, relative to the sum of their sizes."""

Progress = Callable[[int, int], None]
"""Called with the draws done and the draws in all."""


def stream(seed: int, method: str) -> np.random.Generator:
    """Return the random numbers of one method, which depend on the seed and its name, not on earlier draws.

    Raises
    ------
    UsageError
        If the seed is not a whole number from 0 up.

    Examples
    --------
    >>> stream(7, "bca").random() == stream(7, "bca").random() != stream(7, "max_t").random()
    True
    """
    refuse_count("seed", seed, least=0)
    # Python's own hash of a text differs from process to process; crc32 does not.
    return np.random.default_rng(np.random.SeedSequence(int(seed), spawn_key=(zlib.crc32(method.encode()),)))


def query_keys(seed: int, method: str, queries: Sequence[str]) -> NDArray[np.uint64]:
    """(Q,) where the random numbers of each query begin: they depend on its id alone, and not on what is beside it.

    So they are the same where the queries are evaluated bucket by bucket.
    """
    import hashlib

    start = f"{seed}\0{method}\0".encode()
    hashed = hashlib.blake2b
    digests = [hashed(start + query.encode("utf-8", "surrogatepass"), digest_size=8).digest() for query in queries]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def sample_chances(queries: Sequence[str], seed: int) -> Floats:
    """(Q,) a random number for each query, by which a sample is drawn: those with the lowest, in each stratum.

    Examples
    --------
    >>> sample_chances(["q1", "q2"], 1).round(4).tolist() == sample_chances(["q2", "q1"], 1)[::-1].round(4).tolist()
    True
    """
    return keyed_chances(query_keys(seed, "sample", queries), np.zeros(len(queries), np.int64))


def keyed_chances(key: NDArray[np.uint64], place: Ints) -> Floats:
    """(N,) a number from 0 to below 1 for each place, from 0 up, in the random numbers that begin with each key.

    These are those of SplitMix64: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators.
    """
    with np.errstate(over="ignore"):
        z = key + (place.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    chances: Floats = (z >> np.uint64(11)) * 2.0**-53
    return chances


def refuse_share(name: str, value: float) -> None:
    """Refuse a level, an alpha or a power that is not between 0 and 1.

    Raises
    ------
    UsageError
        The message gives the range.
    """
    if not 0 < value < 1:
        raise UsageError(f"{option(name, repr(value))}: it must be between 0 and 1, such as 0.95 or 0.05.")


def chunks(draws: int, width: int, progress: Progress | None = None, most: int = CHUNK) -> Iterator[int]:
    """Yield how many draws to make at a time, each of `width` numbers; report progress after each."""
    at_once = max(1, min(draws, most // max(width, 1)))
    for done in range(0, draws, at_once):
        rows = min(at_once, draws - done)
        yield rows
        if progress is not None:
            progress(done + rows, draws)


Signs = npt.NDArray[np.uint64]
"""(rows, W) signs of many queries, a bit each, as the core's `signed_sums` reads them."""


def draw_signs(rng: np.random.Generator, rows: int, width: int) -> Signs:
    """Draw `rows` rows of `width` signs, each plus with probability one half."""
    # 64 signs per random number: one number per sign takes ten times as long.
    return rng.integers(0, 2**64, size=(rows, -(-width // 64)), dtype=np.uint64)


def sign_patterns(first: int, rows: int, width: int) -> Signs:
    """Return `rows` rows of `width` signs: the patterns from number `first` on; number 0 changes no sign."""
    numbers = np.arange(first, first + rows, dtype=np.int64)
    plus = np.zeros((rows, 64 * -(-width // 64)), np.uint8)
    plus[:, :width] = ((numbers[:, None] >> np.arange(width)) & 1) ^ 1
    return np.packbits(plus, axis=1).view("<u8").astype(np.uint64, copy=False)


def measure_seconds(call: Callable[[], object]) -> float:
    """Return the seconds a call takes: the least of three, since the first starts threads and requests memory."""
    took = []
    for _ in range(3):
        begin = time.perf_counter()
        call()
        took.append(time.perf_counter() - begin)
    return min(took)


def critical_value(largest: Floats, level: float) -> float:
    """Return the bound below which a new draw is with probability `level`, from (B,) earlier draws.

    It is the k-th smallest, k = ⌈level (B + 1)⌉, so that a statistic above it has (b + 1) / (B + 1) ≤ 1 − level.
    Infinite if B is too small to say.
    """
    # Less a hair: level × (draws + 1) may come out just above a whole number, which would be one place too far.
    place = int(np.ceil(level * (len(largest) + 1) - 1e-9))
    return float("inf") if place > len(largest) else float(np.partition(largest, place - 1)[place - 1])


def simulation_error(p: float, draws: int) -> float:
    """Return the standard error of a p-value estimated from draws."""
    return float(np.sqrt(p * (1 - p) / draws))


# The bootstrap: queries drawn with replacement, with their weights.


def resample_sums(columns: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return (draws, k) sums of (n, k) columns over n rows drawn with replacement."""
    n, contiguous = len(columns), np.ascontiguousarray(columns.T)
    drawn = (rng.integers(0, n, (rows, n)) for rows in chunks(draws, n))
    return np.concatenate([np.column_stack([column[rows].sum(axis=1) for column in contiguous]) for rows in drawn])


def bootstrap_means(sample: Sample, draws: int, rng: np.random.Generator) -> Floats:
    """Return the (draws,) means of queries drawn with replacement."""
    sums = resample_sums(np.column_stack([sample.weights * sample.values, sample.weights]), draws, rng)
    return np.asarray(sums[:, 0] / sums[:, 1])


def bootstrap_p(sample: Sample, rng: np.random.Generator, draws: int) -> tuple[float, float, str]:
    """Return p of the bootstrap t test, its error by simulation, and how it was computed."""
    w, y = sample.weights, sample.weights * (sample.values - sample.mean)
    mass, total, squares, mixed, parts = resample_sums(np.column_stack([w, y, y * y, w * y, w * w]), draws, rng).T
    mean = total / mass
    residuals = squares - 2 * mean * mixed + mean**2 * parts
    residuals = np.where(residuals <= CLOSE * squares, 0.0, residuals)
    # |t*| ≥ |t| without a division, since one query drawn n times has no spread.
    least = abs(sample.t) * np.sqrt(residuals * sample.n / (sample.n - 1)) * (1 - CLOSE)
    p = (int(np.sum((np.abs(total) >= least) & (total != 0))) + 1) / (draws + 1)
    return p, simulation_error(p, draws), f"bootstrap t, {draws} draws"
