"""Files that are not data: a Git LFS pointer, a web page, a notebook, a file of R. The message says what to do.

The first bytes identify a file; for some kinds, also its name.
"""

from __future__ import annotations

import json
import re
import shlex
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from accord.core.errors import DataError, quoted

_HEAD = 1 << 12  # bytes that identify a file
_LONGEST = 1 << 16  # bytes of an error message of a server
_LFS = b"version https://git-lfs.github.com/spec/"
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(rb"<title[^>]*>\s*(.*?)\s*</title>", re.IGNORECASE | re.DOTALL)
_MARKDOWN_TABLE = re.compile(rb"^\s*\|?[\s:|]*-{2,}[\s:]*\|", re.MULTILINE)
_README = re.compile(r"(?:.*[ _-])?(?:readme|licen[cs]e|changelog)(?:[._ -][a-z]{2})?(?:\.txt)?", re.IGNORECASE)
_OF_ERRORS = {"error", "errors", "message", "detail", "details", "status", "status_code", "code", "documentation_url",
              "request_id", "title", "type"}  # fmt: skip


@dataclass(frozen=True)
class _Kind:
    """What a file is, how to recognise it, and what to do. `{file}` and `{stem}` are parts of its name."""

    what: str
    instead: str
    begins: tuple[bytes, ...] = ()
    suffixes: tuple[str, ...] = ()
    both: bool = False  # bytes and suffix must match, because the bytes alone may be something else

    def fits(self, head: bytes, suffix: str) -> bool:
        begins = any(head.startswith(sign) for sign in self.begins)
        named = suffix in self.suffixes
        return begins and named if self.both else begins or named


_SHEET = "copy its table into a spreadsheet and save it as CSV"
_PANDAS = 'in Python: pandas.{reader}("{{file}}").to_csv("{{stem}}.csv", index=False)'
_PROGRAM = "give the data that it reads or writes"


def _pandas(reader: str) -> str:
    return _PANDAS.format(reader=reader)


_KINDS = (
    _Kind("an R object", 'in R: write.csv(readRDS("{file}"), "{stem}.csv", row.names = FALSE)',
          (b"X\n\0\0\0",), (".rds",)),
    _Kind("a workspace of R", 'in R: load("{file}"); write.csv(x, "{stem}.csv", row.names = FALSE), where x is the '
          "name of the table", (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n"), (".rdata", ".rda")),
    _Kind("a Python pickle, which can run code, so accord never opens it", _pandas("read_pickle"),
          tuple(bytes([0x80, version]) for version in range(2, 6)), (".pkl", ".pickle", ".joblib")),
    _Kind("a file of MATLAB", 'in MATLAB: writetable(x, "{stem}.csv"), where x is the name of the table',
          (b"MATLAB 5.0 MAT-file",), (".mat",)),
    _Kind("an HDF5 file", _pandas("read_hdf"), (b"\x89HDF\r\n",), (".h5", ".hdf5")),
    _Kind("an array of NumPy", 'in Python: numpy.savetxt("{stem}.csv", numpy.load("{file}"), "%s", ",")',
          (b"\x93NUMPY",), (".npy",)),
    _Kind("an archive of NumPy arrays", 'in Python: numpy.savetxt("{stem}.csv", numpy.load("{file}")["x"], "%s", ","), '
          "where x is the name of the array", (), (".npz",)),
    _Kind("an Arrow or Feather file", _pandas("read_feather"), (b"ARROW1\0",), (".feather", ".arrow")),
    _Kind("a file of Stata", _pandas("read_stata"), (b"<stata_dta>",), (".dta",)),
    _Kind("a file of SAS", _pandas("read_sas"), (), (".sas7bdat", ".xpt")),
    _Kind("a PDF", _SHEET, (b"%PDF",), (".pdf",)),
    _Kind("a text document", _SHEET, (b"{\\rtf",), (".docx", ".doc", ".rtf", ".odt")),
    _Kind("a presentation", _SHEET, (), (".pptx", ".ppt", ".odp")),
    _Kind("a picture", "give the file of its annotations",
          (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"),
          (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".svg")),
    _Kind("a recording", "give the file of its annotations",
          (b"RIFF", b"ID3\2", b"ID3\3", b"ID3\4", b"OggS\0", b"fLaC\0"),
          (".wav", ".mp3", ".mp4", ".m4a", ".ogg", ".flac", ".mov", ".avi", ".mkv")),
    _Kind("an empty zip archive", "pack or download it again", (b"PK\x05\x06",)),
    _Kind("a tar archive", "unpack it and give the folder: tar -xf {quoted}", (), (".tar", ".tgz", ".tbz2", ".txz")),
    _Kind("compressed with gzip", "unpack it: gunzip -k {quoted}", (b"\x1f\x8b",), (".gz",), both=True),
    _Kind("compressed with bzip2", "unpack it: bunzip2 -k {quoted}", (b"BZh",), (".bz2",)),
    _Kind("compressed with xz", "unpack it: unxz -k {quoted}", (b"\xfd7zXZ",), (".xz",)),
    _Kind("compressed with Zstandard", "unpack it: unzstd {quoted}", (b"\x28\xb5\x2f\xfd",), (".zst",)),
    _Kind("a 7z archive", "unpack it and give the folder: 7z x {quoted}", (b"7z\xbc\xaf",), (".7z",)),
    _Kind("a RAR archive", "unpack it and give the folder: unrar x {quoted}", (b"Rar!\x1a\x07",), (".rar",)),
    _Kind("metadata of macOS", "give the file without ._ in its name", (b"\0\5\x16\7",)),
    _Kind("a program in Python", _PROGRAM, (), (".py",)),
    _Kind("a program in R", _PROGRAM, (), (".r", ".rmd", ".qmd")),
    _Kind("a script of Stata or SPSS", _PROGRAM, (), (".do", ".sps")),
    _Kind("a program", _PROGRAM, (b"#!",), (".sh", ".js", ".ts", ".java", ".cpp", ".jl", ".pl", ".bat", ".ps1")),
    _Kind("a web page or its style", "download the data themselves; on GitHub, use the Raw button", (),
          (".html", ".htm", ".xhtml", ".css")),
    _Kind("a document in LaTeX", _SHEET, (b"\\documentclass",), (".tex", ".bib")),
    _Kind("settings of a program", _PROGRAM, (), (".toml", ".ini", ".cfg", ".lock")),
)  # fmt: skip


@dataclass(frozen=True)
class _File:
    """A file that may not be data: its path, its first bytes, and a function that reads more."""

    path: PurePosixPath
    head: bytes
    read: Callable[[int], bytes]

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()


Known = tuple[str, str]  # what a file is, and what to do


def refuse_strangers_among(paths: Mapping[Path, str]) -> None:
    """Refuse the first file that is not data. The values are the names in messages."""
    for path, name in paths.items():
        if path.is_file():
            refuse_stranger(name, partial(_read, path))


def refuse_stranger(name: str, read: Callable[[int], bytes]) -> None:
    """Refuse a file that is not data: name what it is, and what to do. `read` returns its first bytes."""
    file = _File(PurePosixPath(name.replace("\\", "/")), read(_HEAD), read)
    known = next((known for identify in _IDENTIFY if (known := identify(file))), None) if file.head else None
    if known is not None:
        raise DataError("format-unknown", f"{name}: this is {known[0]}; {known[1]}")


def is_lfs_pointer(head: bytes) -> bool:
    return head.startswith(_LFS)


def _identify_pointer(file: _File) -> Known | None:
    if not is_lfs_pointer(file.head):
        return None
    size = re.search(rb"^size (\d+)", file.head, re.MULTILINE)
    bytes_there = f" of a file of {int(size[1]):,} bytes" if size else ""
    return f"a Git LFS pointer{bytes_there}, without the data", "run `git lfs pull` in the repository"


def _identify_page(file: _File) -> Known | None:
    if not _PAGE.match(file.head):
        return None
    title = _TITLE.search(file.head)
    shown = f" ({quoted(' '.join(title[1].decode(errors='replace').split()), 60)})" if title and title[1] else ""
    return f"a web page{shown}, not data", "download the file itself; on GitHub, use its Raw button"


def _identify_notebook(file: _File) -> Known | None:
    inside = file.head.lstrip().startswith(b"{") and b'"cells"' in file.head and b'"cell_type"' in file.head
    save = f'df.to_csv("{file.path.stem}.csv", index=False), where df is the name of the table'
    known = inside or file.suffix == ".ipynb"
    return ("a Jupyter notebook", f"save the table from the notebook: {save}") if known else None


def _identify_prose(file: _File) -> Known | None:
    """Recognise a README or a text in Markdown. A table in Markdown has its own message."""
    about = _README.fullmatch(file.path.name) or file.suffix in {".md", ".rst"}
    if not about or _MARKDOWN_TABLE.search(file.head):
        return None
    return "a text about data", "give the data that it describes"


def _identify_tar(file: _File) -> Known | None:
    packed = file.suffix in {".gz", ".bz2", ".xz"} and file.path.stem.lower().endswith(".tar")
    if not packed and file.head[257:262] != b"ustar":
        return None
    return "a tar archive", f"unpack it and give the folder: tar -xf {shlex.quote(file.path.name)}"


def _identify_kind(file: _File) -> Known | None:
    inside = _unzipped(file.head)  # files of R are compressed
    found = next((kind for kind in _KINDS if inside and kind.fits(inside, "")), None)
    found = found or next((kind for kind in _KINDS if kind.fits(file.head, file.suffix)), None)
    if found is None:
        return None
    name = shlex.quote(file.path.name)
    return found.what, found.instead.format(file=file.path.name, stem=file.path.stem, quoted=name)


def _unzipped(head: bytes) -> bytes:
    """Return the first bytes of a gzip file, as far as they are known."""
    try:
        return zlib.decompressobj(wbits=31).decompress(head, 64)
    except zlib.error:
        return b""


def _identify_message(file: _File) -> Known | None:
    """Recognise {"message": "Not Found"}, which a server sends instead of a file."""
    if file.suffix != ".json" or not file.head.lstrip().startswith(b"{"):
        return None
    try:
        value = json.loads(file.read(_LONGEST).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not set(value) <= _OF_ERRORS or not {"error", "message", "detail"} & set(value):
        return None
    said = next((value[key] for key in ("message", "detail", "error") if isinstance(value.get(key), str)), "")
    return f"an error message of a server ({quoted(said, 60)}), not data", "download the file again"


_IDENTIFY = (_identify_pointer, _identify_page, _identify_notebook, _identify_prose, _identify_tar, _identify_kind,
             _identify_message)  # fmt: skip


def _read(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""  # its reader reports the error
