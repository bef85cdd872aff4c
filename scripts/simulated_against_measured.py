#!/usr/bin/env python3
"""Calibrates this machine, then runs products and collectives in every way and holds the measured times against the
simulated ones. Prints a table in Markdown.

    scripts/simulated_against_measured.py build/release/bin/meshmul [--backend processes] [--rounds 7] [--quick]
"""

import argparse
import json
import os
import subprocess
import tempfile

PRODUCTS = {
    "gather A": "{dtype} A[M={m}_X, K={k}] * B[K, N={n}_X] -> C[M, N_X]",
    "gather B": "{dtype} A[M={m}_X, K={k}] * B[K_X, N={n}] -> C[M_X, N]",
    "reduce": "{dtype} A[M={m}, K={k}_X] * B[K_X, N={n}] -> C[M_X, N]",
}
SIZES = [(4096, 4096, 4096), (2048, 2048, 8192), (256, 1024, 4096)]  # m, k, n
COLLECTIVES = {
    "AllGather": "AllGather_X({dtype} A[I={elements}_X])",
    "ReduceScatter": "ReduceScatter_X,I({dtype} A[I={elements}]{{U_X}})",
    "AllReduce": "AllReduce_X({dtype} A[I={elements}]{{U_X}})",
    "AllToAll": "AllToAll_X,J({dtype} A[I={rows}_X, J=1024])",
}
MEGABYTES = [1, 4, 16, 64]  # of a shard


def compare(options, profile, statement):
    command = [options.meshmul, "run", statement, "--mesh", f"X={options.ranks}", "--random", "--no-verify", "--compare"]
    command += ["--rounds", str(options.rounds), "--hardware", profile, "--backend", options.backend, "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def cases(options):
    for dtype in options.dtypes.split(","):
        for name, text in PRODUCTS.items():
            for m, k, n in SIZES:
                yield f"{name}, {m} x {k} x {n}", dtype, text.format(dtype=dtype, m=m, k=k, n=n)
    for name, text in COLLECTIVES.items():
        for megabytes in MEGABYTES:
            elements = megabytes * 2**20 // 4 * (options.ranks if name in ("AllGather", "AllToAll") else 1)
            yield f"{name}, {megabytes} MiB", "f32", text.format(dtype="f32", elements=elements, rows=elements // 1024)


def calibrate(options, profile):
    command = [options.meshmul, "calibrate", "-o", profile, "--backend", options.backend]
    subprocess.run(command + (["--quick"] if options.quick else []), check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshmul")
    parser.add_argument("--backend", default="threads")
    parser.add_argument("--ranks", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--dtypes", default="f32,f64,bf16")
    parser.add_argument("--only", default="", help="a part of the names of cases")
    parser.add_argument("--quick", action="store_true", help="calibrate --quick")
    parser.add_argument("--profile", help="instead of a calibration")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        profile = options.profile or os.path.join(folder, "local.toml")
        if not options.profile:
            calibrate(options, profile)
        print("| case | dtype | way | simulated, ms | measured, ms | measured / simulated |\n|---|---|---|---|---|---|")
        ratios, losses = [], []
        for name, dtype, statement in cases(options):
            if options.only not in name:
                continue
            result = compare(options, profile, statement)
            for way in result["ways"]:
                ratios.append(way["times_as_long"])
                print(
                    f"| {name} | {dtype} | {way['way']} | {1e3 * way['predicted_seconds']:.3f} "
                    f"| {1e3 * way['measured_seconds']:.3f} | {way['times_as_long']:.3f} |",
                    flush=True,
                )
            losses.append(result["chosen_is_slower_by"])
        within = sum(0.9 <= ratio <= 1.1 for ratio in ratios)
        print(f"\n{within} of {len(ratios)} within 10 %; from {min(ratios):.3f} to {max(ratios):.3f}")
        print(f"the chosen way is slower than the fastest by {100 * sum(losses) / len(losses):.1f} % in the mean, "
              f"{100 * max(losses):.1f} % at most")


if __name__ == "__main__":
    main()
