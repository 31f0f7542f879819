"""A model of a disk for power cuts: files, names, and the changes that a process made to them."""

from dataclasses import dataclass
from pathlib import Path, PurePath

FOLDER = -1
"""Stands for a folder, in the place of a file's number."""


@dataclass(frozen=True, slots=True)
class FileWritten:
    """Bytes that were written into a file from an offset on."""

    file: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class FileResized:
    """The size of a file was set."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class NamesChanged:
    """Names in one folder that changed together, each with the number of its file (None if the
    name is gone)."""

    names: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class FileSynced:
    """A file's content was brought to the disk."""

    file: int


@dataclass(frozen=True, slots=True)
class SyncFailed:
    """The disk refused a sync of a file's content (`what` is its number) or of the names in a
    folder (`what` is its path)."""

    what: int | str


@dataclass(frozen=True, slots=True)
class FolderSynced:
    """The names in a folder were brought to the disk."""

    folder: str


@dataclass(frozen=True, slots=True)
class RowsReported:
    """The program reported that the rows up to this number are on the disk."""

    rows: int


@dataclass(frozen=True, slots=True)
class RowRefused:
    """The program reported that the row with the time `at` was not saved or, with `perhaps`, may
    not have been saved."""

    at: float
    perhaps: bool


@dataclass(slots=True)
class Disk:
    """Files by number, and the number that each name stands for."""

    names: dict[str, int]
    files: dict[int, bytes]

    @classmethod
    def of(cls, folder: Path) -> "Disk":
        """A disk with the files in `folder`."""
        paths = sorted(folder.rglob("*"))
        files = [path for path in paths if path.is_file()]
        numbers = {path: files.index(path) if path in files else FOLDER for path in paths}
        names = {str(path.relative_to(folder)): file for path, file in numbers.items()}
        return cls(names, {at: path.read_bytes() for at, path in enumerate(files)})

    def copy(self) -> "Disk":
        """Another disk with the same files and names."""
        return Disk(dict(self.names), dict(self.files))

    def change(self, change: "Change") -> None:
        """Makes one change."""
        if isinstance(change, NamesChanged):
            for name, file in change.names:
                self.names.pop(name, None)
                if file is not None:
                    self.names[name] = file
            return
        data = self.files.get(change.file, b"")
        if isinstance(change, FileResized):
            self.files[change.file] = data[: change.size].ljust(change.size, b"\0")
        else:
            end = change.offset + len(change.data)
            head = data[: change.offset].ljust(change.offset, b"\0")
            self.files[change.file] = head + change.data + data[end:]

    def seen(self) -> dict[str, bytes]:
        """The content of each file that has a name, by its path."""
        return {
            name: self.files.get(file, b"")
            for name, file in sorted(self.names.items())
            if file != FOLDER and all(self._has(folder) for folder in PurePath(name).parents)
        }

    def _has(self, folder: PurePath) -> bool:
        return str(folder) in (".", *self.names) and self.names.get(str(folder), FOLDER) == FOLDER


Change = FileWritten | FileResized | NamesChanged
Event = Change | FileSynced | SyncFailed | FolderSynced | RowsReported | RowRefused
