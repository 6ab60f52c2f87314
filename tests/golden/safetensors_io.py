"""Reads and writes safetensors files with nothing but NumPy.

Not a program; `test_golden_files.py` tests it. The format: 8 bytes with the length of the header
(little-endian), the header (JSON, filled up with spaces to a multiple of 8), then the raw
little-endian data of the tensors, here in the order of their names.
"""

import json
import os
import struct

import numpy as np

DTYPES = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "I64": np.dtype("<i8")}


def write_safetensors(path, tensors, metadata):
    """Writes {name: array} and {str: str}; the bytes depend on nothing else."""
    with open(path, "wb") as file:
        file.write(to_safetensors(tensors, metadata))


def to_safetensors(tensors, metadata):
    header = {"__metadata__": dict(sorted(metadata.items()))}
    data = b""
    for name in sorted(tensors):
        array = np.asarray(tensors[name])
        raw = array.tobytes()  # row by row, whatever the array's own layout is
        header[name] = {
            "dtype": dtype_name(array.dtype),
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def dtype_name(dtype):
    for name, known in DTYPES.items():
        if dtype == known:
            return name
    raise ValueError(f"expected float32, float64 or int64, found {dtype}")


def read_safetensors(path):
    """Returns ({name: array}, metadata). Raises ValueError for a file that is not well formed."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        return from_safetensors(content)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error


def from_safetensors(content):
    if len(content) < 8:
        raise ValueError(f"expected at least 8 bytes, found {len(content)}")
    (header_size,) = struct.unpack("<Q", content[:8])
    if header_size > len(content) - 8:
        raise ValueError(f"expected a header of {header_size} bytes, found {len(content) - 8}")
    header = json.loads(content[8 : 8 + header_size])
    metadata = header.pop("__metadata__", {})
    data = content[8 + header_size :]
    check_that_data_is_covered(header, len(data))
    return {name: tensor(name, entry, data) for name, entry in header.items()}, metadata


def tensor(name, entry, data):
    if entry["dtype"] not in DTYPES:
        raise ValueError(f"{name}: expected one of {list(DTYPES)}, found {entry['dtype']}")
    dtype = DTYPES[entry["dtype"]]
    begin, end = entry["data_offsets"]
    count = int(np.prod(entry["shape"], dtype=np.int64))
    if end - begin != count * dtype.itemsize:
        raise ValueError(f"{name}: {end - begin} bytes do not hold the shape {entry['shape']}")
    return np.frombuffer(data[begin:end], dtype).reshape(entry["shape"])


def check_that_data_is_covered(header, data_size):
    """Every byte belongs to exactly one tensor: no gap, no overlap, nothing behind the end."""
    expected_begin = 0
    for begin, end in sorted(entry["data_offsets"] for entry in header.values()):
        if begin != expected_begin or end < begin:
            raise ValueError(f"expected a tensor at byte {expected_begin}, found [{begin}, {end})")
        expected_begin = end
    if expected_begin != data_size:
        raise ValueError(f"expected {expected_begin} bytes of data, found {data_size}")
