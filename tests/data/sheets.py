"""OpenDocument sheets written by hand, and archives some of whose files are changed."""

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

URN = "urn:oasis:names:tc:opendocument:xmlns"
KIND = "application/vnd.oasis.opendocument.spreadsheet"


def open_document(rows: str, end: str = "</table:table>") -> bytes:
    """Write a sheet of these rows, which are XML."""
    names = " ".join(f'xmlns:{name}="{URN}:{name}:1.0"' for name in ("office", "table", "text"))
    content = (
        f"<office:document-content {names}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{rows}{end}</office:spreadsheet></office:body></office:document-content>'
    )
    manifest = (
        f'<m:manifest xmlns:m="{URN}:manifest:1.0"><m:file-entry m:full-path="/" m:media-type="{KIND}"/></m:manifest>'
    )
    return zipped({"mimetype": KIND, "content.xml": content, "META-INF/manifest.xml": manifest})


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Write an archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text, zipfile.ZIP_STORED if name == "mimetype" else None)
    return file.getvalue()


def change_files(path: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """Write an archive again, its files changed, in the order they then have."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    path.write_bytes(zipped(files))
    return path
