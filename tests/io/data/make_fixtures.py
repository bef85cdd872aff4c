#!/usr/bin/env python3
"""Writes the files of this folder with numpy, ml_dtypes and safetensors, so that tests read what those write."""

import os

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(HERE, name)


def npy(name, array):
    np.save(path(name + ".npy"), array, allow_pickle=True)


def counting(shape, dtype):
    """0, 1, 2, ... minus 5, so that signs are seen too."""
    return (np.arange(int(np.prod(shape))).reshape(shape) - 5).astype(dtype)


# Every dtype, little-endian and row-major.
for name, dtype in [("f64", "<f8"), ("f32", "<f4"), ("f16", "<f2"), ("i8", "|i1"), ("i32", "<i4"),
                    ("bf16", ml_dtypes.bfloat16), ("f8e4m3", ml_dtypes.float8_e4m3fn)]:
    npy(name, counting((3, 4), dtype))

# Other orders of bytes and of dimensions, other ranks, other versions of the format.
npy("f32_big_endian", counting((3, 4), ">f4"))
npy("i32_fortran", np.asfortranarray(counting((3, 4), "<i4")))
npy("f64_big_endian_fortran_3d", np.asfortranarray(counting((2, 3, 4), ">f8")))
npy("f32_scalar", np.float32(-5))
npy("f32_vector", counting((5,), "<f4"))
npy("f32_empty", np.zeros((0, 3), "<f4"))
for version in (2, 3):
    with open(path(f"f32_version_{version}.npy"), "wb") as file:
        np.lib.format.write_array(file, counting((3, 4), "<f4"), version=(version, 0))

# Types that meshmul does not have.
npy("truth", np.zeros((2,), np.bool_))
npy("u16", np.zeros((2,), np.uint16))
npy("i64", np.zeros((2,), np.int64))
npy("complex", np.zeros((2,), np.complex64))
npy("text", np.array(["ab", "c"]))
npy("object", np.array([None, 1], dtype=object))
npy("fields", np.zeros((2,), np.dtype([("a", "<f4"), ("b", "<i4")])))

save_file({"C": counting((3, 4), "<f4")}, path("single.safetensors"))
save_file({
    "layers.0.w": counting((3, 4), ml_dtypes.bfloat16),
    "layers.1.w": counting((3, 4), ml_dtypes.float8_e4m3fn),
    "bias": counting((5,), "<f8"),
    "scale": np.array(-5, dtype=np.float32),
    "half": counting((2, 2), "<f2"),
    "counts": counting((2, 3), "<i4"),
    "bytes": counting((7,), "|i1"),
    "steps": np.zeros((2,), np.int64),
    "none": np.zeros((0, 3), "<f4"),
}, path("several.safetensors"), metadata={"format": "np"})
