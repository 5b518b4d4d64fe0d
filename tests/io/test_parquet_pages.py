"""Parquet files with impossible metadata are refused on one line, because Polars would end the process."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.data.io import large
from accord.data.io.tables import parquet
from accord.data.io.tables.parquet import read_parquet, refuse_impossible

from ..cases import for_each
from ..fuzzing.mutating import variable
from ..refusals import raises

FRAME = pl.DataFrame(
    {
        "item": [1, 2, 3, 4],
        "label": ["x", None, "y", "x"],
        "spans": [["a"], [], None, ["b", "c"]],
        "who": [{"name": "Ana", "ages": [3]}, None, {"name": None, "ages": []}, {"name": "Ben", "ages": None}],
    }
)


def write_bytes(frame: pl.DataFrame = FRAME, **how: Any) -> bytes:
    made = io.BytesIO()
    frame.write_parquet(made, **how)
    return made.getvalue()


def signed(number: int) -> bytes:
    return variable(number << 1 if number >= 0 else (-number << 1) - 1)


def field(step: int, kind: int, value: bytes) -> bytes:
    return bytes([step << 4 | kind]) + value


def structures(*made: bytes) -> bytes:
    return b"\xfc" + variable(len(made)) + b"".join(made)


def build_page(values: int = 3, packed: int = 12, unpacked: int = 12, kind: int = 0) -> bytes:
    """Build a page of three uncompressed 32-bit numbers."""
    inside = field(1, 5, signed(values)) + field(1, 5, signed(0)) + 2 * field(1, 5, signed(3)) + b"\0"
    sizes = field(1, 5, signed(kind)) + field(1, 5, signed(unpacked)) + field(1, 5, signed(packed))
    return sizes + field(2, 12, inside) + b"\0" + b"\1\0\0\0\2\0\0\0\3\0\0\0"


def build_file(pages: bytes | None = None, **claims: int) -> bytes:
    """Build a file of one column of numbers with the given metadata."""
    pages = build_page() if pages is None else pages
    claims = {
        "rows": 3,
        "group": 3,
        "values": 3,
        "packed": len(pages),
        "at": 4,
        "codec": 0,
        "columns": 1,
        "width": 0,
    } | claims
    column = b"".join(
        [
            field(1, 5, signed(1)),
            field(1, 9, b"\x15" + signed(0)),
            field(1, 9, b"\x18\x01i"),
            field(1, 5, signed(claims["codec"])),
            field(1, 6, signed(claims["values"])),
            field(1, 6, signed(len(pages))),
            field(1, 6, signed(claims["packed"])),
            field(2, 6, signed(claims["at"])),
            field(2, 6, signed(claims["dictionary"])) if "dictionary" in claims else b"",
            b"\0",
        ]
    )
    chunk = field(2, 6, signed(4)) + field(1, 12, column) + b"\0"
    group = (
        field(1, 9, structures(chunk)) + field(1, 6, signed(len(pages))) + field(1, 6, signed(claims["group"])) + b"\0"
    )
    root = field(4, 8, b"\x01r") + field(1, 5, signed(claims["columns"])) + b"\0"
    kind = field(1, 5, signed(7)) + field(1, 5, signed(claims["width"])) if claims["width"] else field(1, 5, signed(1))
    leaf = kind + field(1 if claims["width"] else 2, 5, signed(0)) + field(1, 8, b"\x01i") + b"\0"
    footer = b"".join(
        [
            field(1, 5, signed(1)),
            field(1, 9, structures(root, leaf)),
            field(1, 6, signed(claims["rows"])),
            field(1, 9, structures(group)),
            b"\0",
        ]
    )
    return b"PAR1" + pages + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def build_nested_file(levels: int) -> bytes:
    """Build a file without rows and with a deeply nested column."""
    root = field(4, 8, b"\x01r") + field(1, 5, signed(1)) + b"\0"
    inner = field(3, 5, signed(1)) + field(1, 8, b"\x01a") + field(1, 5, signed(1)) + b"\0"
    leaf = field(1, 5, signed(1)) + field(2, 5, signed(1)) + field(1, 8, b"\x01i") + b"\0"
    schema = structures(root, *[inner] * levels, leaf)
    footer = field(1, 5, signed(1)) + field(1, 9, schema) + field(1, 6, signed(0)) + field(1, 9, structures()) + b"\0"
    return b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def reason_for_refusal(content: bytes) -> str:
    with pytest.raises(accord.DataError) as found:
        refuse_impossible(io.BytesIO(content), "t.parquet")
    message = str(found.value)
    assert message.startswith("t.parquet: the Parquet file ")
    return message.partition("because ")[2].removesuffix("; write it again")


def test_file_built_by_hand_is_read() -> None:
    refuse_impossible(io.BytesIO(build_file()), "t.parquet")
    assert read_parquet(io.BytesIO(build_file()), "t.parquet")["i"].to_list() == [1, 2, 3]


@pytest.mark.parametrize("place", [0, 4, 100])
def test_offset_of_an_absent_dictionary_is_ignored(place: int) -> None:
    """Older Java writers write 0 for an absent dictionary."""
    refuse_impossible(io.BytesIO(build_file(dictionary=place)), "t.parquet")


@for_each(
    ("content", "message"),
    [
        (build_file(rows=10**12), "its metadata state that it has 1,000,000,000,000 rows, but its row groups have 3"),
        (
            build_file(rows=-1, group=-1, values=-1),
            "its metadata state that it has -1 rows, but its row groups have -1",
        ),
        (build_file(values=4), 'its metadata state that column "i" has 4 values on 3 rows'),
        (build_file(values=2), 'its metadata state that column "i" has 2 values on 3 rows'),
        (
            build_file(rows=4, group=4, values=4),
            'its metadata state that column "i" has 4 values, but its pages lack 1 of them',
        ),
        (
            build_file(rows=10**12, group=10**12, values=10**12),
            "its metadata state that 33 bytes contain 1,000,000,000,000 values",
        ),
        (build_file(packed=34), 'its metadata state that column "i" has 34 bytes from position 4, but the file has 33'),
        (build_file(packed=-1), 'its metadata state that column "i" has -1 bytes from position 4, but the file has 33'),
        (build_file(at=-4), 'its metadata state that column "i" has 29 bytes from position -4, but the file has 33'),
        (
            build_file(at=1 << 62),
            'its metadata state that column "i" has 29 bytes from position 4,611,686,018,427,387,904, '
            "but the file has 33",
        ),
        (build_file(width=(1 << 31) - 1), "its metadata state that 33 bytes contain 402,653,181 values"),
        (build_file(width=-5), 'its metadata state that a value of column "i" has -5 bytes'),
        (build_file(codec=99), 'its metadata state that column "i" is compressed by method 99, which does not exist'),
        (build_file(columns=2), "its metadata state that it has more columns than it lists"),
        (build_file(columns=0), "its metadata state that it has fewer columns"),
        (build_file(columns=-1), "its metadata state that a column has -1 parts"),
        (build_file(build_page(values=4)), 'its metadata state that a page of column "i" has 4 values of 3'),
        (build_file(build_page(values=-64)), 'its metadata state that a page of column "i" has -64 values of 3'),
        (
            build_file(build_page(packed=13)),
            'its metadata state that a page of column "i" has 13 bytes, but 12 are left',
        ),
        (
            build_file(build_page(packed=-1)),
            'its metadata state that a page of column "i" has -1 bytes, but 12 are left',
        ),
        (
            build_file(build_page(unpacked=1 << 30)),
            'its metadata state that a page of column "i" unpacks from 12 bytes to 1,073,741,824',
        ),
        (
            build_file(build_page(unpacked=-1)),
            'its metadata state that a page of column "i" unpacks from 12 bytes to -1',
        ),
        (build_file(build_page(kind=2)), 'its metadata state that a page of column "i" has -1 values in 12 bytes'),
        (build_file(b"\x15" * 20), "its metadata cannot be read"),
        (
            build_file(build_page(values=1) + build_page(values=3)),
            'its metadata state that a page of column "i" has 3 values of 3',
        ),
        (build_nested_file(5_000), "its metadata state that its columns are nested 200 deep"),
        (
            b"PAR1" + (1 << 30).to_bytes(4, "little") + b"PAR1",
            "its metadata state a footer of 1,073,741,824 bytes, but the file has 12",
        ),
    ],
)
def test_impossible_parquet_metadata_are_refused(content: bytes, message: str) -> None:
    assert reason_for_refusal(content) == message


@for_each(
    "footer",
    [
        b"",
        b"\x19\xfc\xff\xff\xff\xff\x0f",  # a list of four billion entries
        b"\x0c" * 5_000,  # endless structures
        b"\x4a" + b"\x19" * 5_000,  # lists of lists
        b"\x15" + b"\xff" * 20,  # an endless number
        b"\x18\xff\xff\xff\xff\xff\x0f",  # more bytes than the file has
        b"\x15\x02\x05\x02\x04\0",  # the same field twice
        b"\x16\x02\0",  # a field of another type
        b"\x1f\0",  # a field of no type
        b"\x9b\xff\xff\xff\xff\x0f\x55",  # a map of four billion entries
    ],
)
def test_invalid_footers_are_refused(footer: bytes) -> None:
    content = b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"
    assert reason_for_refusal(content)


def test_unknown_fields_of_every_type_are_skipped() -> None:
    newer = b"".join(
        [
            field(0, 5, signed(300) + signed(1)),
            field(1, 1, b""),
            field(1, 2, b""),
            field(1, 3, b"\7"),
            field(1, 7, b"\0" * 8),
            field(1, 9, b"\x21\1\2"),
            field(1, 10, b"\x18\1a"),
            field(1, 11, b"\1\x85\1a\2"),
            field(1, 11, b"\0"),
            field(1, 12, b"\x15\2\0"),
            field(1, 13, b"\0" * 16),
        ]
    )
    plain = build_file()
    length = int.from_bytes(plain[-8:-4], "little")
    content = plain[:-9] + newer + b"\0" + (length + len(newer)).to_bytes(4, "little") + b"PAR1"
    refuse_impossible(io.BytesIO(content), "t.parquet")


def test_encrypted_file_is_refused() -> None:
    assert reason_for_refusal(b"PARE" + b"\0" * 20 + b"PARE") == "it is encrypted; write it without encryption"


def test_columns_that_share_pages_are_refused() -> None:
    """Otherwise the same pages would be checked many times."""
    column = {"column": {"codec": 0, "values": 3, "packed": 29, "data_at": 4}}
    schema = [{"children": 2}, {"type": 1, "name": b"a"}, {"type": 1, "name": b"b"}]
    about = {"schema": schema, "groups": [{"rows": 3, "columns": [column, column]}], "rows": 3}
    with pytest.raises(parquet._Impossible, match="its columns need 58 bytes, but it has 33"):
        list(parquet._chunks(about, 33))


def test_long_page_header_is_read(tmp_path: Path) -> None:
    """Statistics contain the smallest and the largest value, which may be long."""
    path = tmp_path / "t.parquet"
    pq = pytest.importorskip("pyarrow.parquet")
    table = pl.DataFrame({"text": ["x" * 3_000, "y" * 3_000]}).to_arrow()
    pq.write_table(table, path, use_dictionary=False, compression="none")
    refuse_impossible(path, "t.parquet")
    long = field(1, 8, variable(20_000) + b"z" * 20_000) + b"\0"
    head = field(1, 5, signed(0)) + 2 * field(1, 5, signed(12))
    inside = field(1, 5, signed(3)) + field(1, 5, signed(0)) + 2 * field(1, 5, signed(3)) + field(1, 12, long) + b"\0"
    refuse_impossible(io.BytesIO(build_file(head + field(2, 12, inside) + b"\0" + b"\0" * 12)), "t.parquet")


@for_each("compression", ["uncompressed", "snappy", "gzip", "brotli", "lz4", "zstd"])
@for_each("rows", [0, 4, 4_000])
def test_parquet_written_by_polars_is_read(compression: str, rows: int) -> None:
    frame = pl.concat([FRAME] * 1_000)[:rows]
    for how in ({}, {"statistics": False}, {"data_page_size": 300}, {"row_group_size": 700}):
        refuse_impossible(io.BytesIO(write_bytes(frame, compression=compression, **how)), "t.parquet")


@for_each("compression", ["none", "snappy", "gzip", "brotli", "lz4", "zstd"])
@for_each("version", ["1.0", "2.0"])
@for_each("dictionary", [True, False])
def test_parquet_written_by_pyarrow_is_read(compression: str, version: str, dictionary: bool) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    for rows in (0, 4, 4_000):
        table = pl.concat([FRAME] * 1_000)[:rows].to_arrow()
        for how in (
            {"write_page_index": True},
            {"data_page_size": 300, "write_batch_size": 50},
            {"row_group_size": 700},
        ):
            made = io.BytesIO()
            options = {"compression": compression, "data_page_version": version, "use_dictionary": dictionary}
            pq.write_table(table, made, write_page_checksum=True, **options, **how)
            refuse_impossible(made, "t.parquet")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_parquet_written_by_duckdb_is_read(version: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "t.parquet"
    for rows in (0, 4, 4_000):
        with duckdb.connect() as connection:
            connection.register("given", pl.concat([FRAME] * 1_000)[:rows].to_arrow())
            connection.execute(
                f"copy given to '{path}' (format parquet, parquet_version {version}, row_group_size 2048)"
            )
        refuse_impossible(path, "t.parquet")


def test_millions_of_equal_rows_in_a_few_bytes_are_valid() -> None:
    constant = pl.select(c=pl.repeat("same", 10_000_000), n=pl.repeat(None, 10_000_000, dtype=pl.Int64))
    content = write_bytes(constant, row_group_size=10_000_000, data_page_size=1 << 30)
    assert len(content) < 2_000
    refuse_impossible(io.BytesIO(content), "t.parquet")


def test_bytes_are_read_from_the_beginning() -> None:
    source = io.BytesIO(write_bytes())
    assert read_parquet(source, "t.parquet").equals(FRAME)


def test_file_that_is_not_parquet_has_the_message_of_polars(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"nothing of the kind")
    with raises("file-damaged"):
        accord.read(path)


def test_reading_and_row_counting_refuse_impossible_files(tmp_path: Path) -> None:
    """accord counts rows and checks columns before it reads a table; a deep schema overflows the stack there."""
    for content in (build_nested_file(100_000), build_file(rows=10**12), build_file(build_page(values=-64))):
        path = tmp_path / "t.parquet"
        path.write_bytes(content)
        with raises("file-damaged"):
            accord.read(path)
    assert large._rows_in(path) == 3
    path.write_bytes(build_nested_file(100_000))
    assert large._rows_in(path) == 0
