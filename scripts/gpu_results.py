#!/usr/bin/env python3
"""Shows what benchmarks on GPUs have left in bench/results: ratios next to their goals.

scripts/gpu_results.py             one table of all ratios that have a goal or are a speed-up
scripts/gpu_results.py --markdown  the section of docs/performance.md
scripts/gpu_results.py --update    writes that section
scripts/gpu_results.py --check     fails if the section is another one
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
DOCUMENT = ROOT / "docs" / "performance.md"
BEGIN = "<!-- gpu results: begin; scripts/gpu_results.py --update writes this from bench/results -->\n"
END = "<!-- gpu results: end -->\n"


class Goal:
    """A bound of a ratio, from above or from below."""

    def __init__(self, relation, bound):
        self.relation, self.bound = relation, bound

    def met(self, ratio):
        return ratio >= self.bound if self.relation == ">=" else ratio <= self.bound

    def __str__(self):
        return f"{self.relation} {self.bound:.2f}"


def verdict(goal, ratio):
    if goal is None:
        return ""
    return "met" if goal.met(ratio) else "MISSED"


def interval(middle, low, high):
    return f"{middle:.3f} [{low:.3f}, {high:.3f}]"


def time_text(seconds):
    return f"{1e3 * seconds:.2f} ms" if abs(seconds) >= 1e-3 else f"{1e6 * seconds:.0f} us"


def spaced(shape):
    return shape.replace("x", " x ")


class Table:
    """What one file says: its title, its columns and rows, and its ratios next to their goals."""

    def __init__(self, title, columns):
        self.title, self.columns = title, columns
        self.rows, self.ratios, self.notes = [], [], []

    def add_ratio(self, what, quantity, value, text, goal=None):
        self.ratios.append([f"{self.title}: {what}", quantity, text, str(goal) if goal else "", verdict(goal, value)])


def option(result, name):
    """Of the command: files of before the common header say some things there alone."""
    found = re.search(rf"--{name} (\S+)", result["command"])
    return found.group(1) if found else None


def product_table(result):
    layout = result.get("layout") or option(result, "layout")
    dtype = result.get("dtype") or option(result, "dtype") or "bf16"
    lies = {"nn": "B is K x N", "nt": "B is N x K", "tn": "A is K x M", "tt": "A is K x M, B is N x K"}[layout]
    sums = ", fast sums" if result.get("fast_sums") else ""
    table = Table(f"Products, {dtype}{sums}, {lies}",
                  ["M x N x K", "time", "TFLOP/s", "cuBLASLt's", "cuBLASLt's time / ours", "goal", "tiles"])
    each = Goal(">=", 0.95 if dtype == "f8e4m3" else 0.97)
    with_waits = any("waits" in row for row in result["results"])
    if with_waits:
        table.columns += ["with waits / without", "goal"]
    for row in result["results"]:
        text = interval(row["ratio"], row["ratio_10_percent"], row["ratio_90_percent"])
        table.rows.append([spaced(row["shape"]), time_text(1e-6 * row["microseconds"]), f"{row['teraflops']:.0f}",
                           f"{row['cublaslt_teraflops']:.0f}", text, f"{each} {verdict(each, row['ratio'])}",
                           row["tiles"].split(",")[0].replace("tiles ", "")])
        table.add_ratio(row["shape"], "cuBLASLt's time / ours", row["ratio"], text, each)
        if with_waits:
            waits, goal = row["waits"], Goal("<=", 1.01)
            text = interval(waits["ratio"], waits["ratio_10_percent"], waits["ratio_90_percent"])
            table.rows[-1] += [text, f"{goal} {verdict(goal, waits['ratio'])}"]
            table.add_ratio(row["shape"], "with waits / without", waits["ratio"], text, goal)
    mean, goal = result["geometric_mean"], Goal(">=", 1.0 if dtype == "bf16" else 0.95)
    table.notes.append(f"Geometric mean of the ratios: {mean:.3f}; goal {goal}: {verdict(goal, mean)}.")
    table.add_ratio("geometric mean", "cuBLASLt's time / ours", mean, f"{mean:.3f}", goal)
    return table


def wire_table(result):
    table = Table(f"Overlap on the wire to the host, {result['results'][0]['shards']} shards",
                  ["M x N x K", "copies alone", "product alone", "overlapped", "overlapped / (longer one + a chunk)", "goal",
                   "exposed", "on the wire", "copies, then cuBLASLt", "its time / overlapped"])
    goal = Goal("<=", result["goal"])
    for row in result["results"]:
        text = interval(row["ratio"], row["ratio_10_percent"], row["ratio_90_percent"])
        speed_up = interval(row["speed_up"], row["speed_up_10_percent"], row["speed_up_90_percent"])
        table.rows.append([spaced(row["shape"]), time_text(1e-6 * row["copy_microseconds"]),
                           time_text(1e-6 * row["product_microseconds"]), time_text(1e-6 * row["overlapped_microseconds"]), text,
                           f"{goal} {verdict(goal, row['ratio'])}", time_text(1e-6 * row["exposed_microseconds"]),
                           f"{row['overlapped_gigabytes_per_second']:.1f} GB/s",
                           time_text(1e-6 * row["sequence_microseconds"]), speed_up])
        what = f"{row['shape']}, {row['dominates']} longer"
        table.add_ratio(what, "overlapped / (longer one + a chunk)", row["ratio"], text, goal)
        table.add_ratio(what, "copies, then cuBLASLt / overlapped", row["speed_up"], speed_up)
    table.notes.append("Exposed: overlapped - product alone. On the wire: bytes of the copies / time of the overlapped run.")
    return table


def overlap_goal(name):
    """Of an AllGather x GEMM, by its contraction: the same products together take at least as long."""
    found = re.match(r"bf16 A\[M=\d+_X, K=(\d+)\] \* bf16 B\[K=\d+, N=\d+_X\]", name)
    bounds = {16384: 1.03, 8192: 1.05, 4096: 1.08}
    return Goal("<=", bounds[int(found.group(1))]) if found and int(found.group(1)) in bounds else None


def ranks_table(result):
    ranks = result["mesh"].split("=")[1]
    subject = "MLP" if " mlp " in result["command"] else \
        "GEMM x ReduceScatter" if re.search(r"K=\d+_X\]", result["command"]) else "AllGather x GEMM"
    table = Table(f"{subject}, {ranks} virtual ranks",
                  ["", "built as", "products alone", "overlapped", "overlapped / products alone", "goal", "exposed",
                   "between ranks", "collective, then product / overlapped"])
    for product in result["products"]:
        if not product["rows"]:
            continue
        rows = {row["name"]: row for row in product["rows"]}
        alone, sequence = rows["products alone"], rows.get("collective, then BLAS")
        name = re.sub(r"(\*|->) bf16 ", r"\1 ", product["name"])
        fewer = "" if product["pairs"] == result["pairs"] else f"; {product['pairs']} pairs"
        overlapped = [row for row in product["rows"] if row not in (alone, sequence)]
        fastest = min(overlapped, key=lambda row: row["seconds"]["median"])
        for row in overlapped:
            of_alone = row["of_products_alone"]
            ratio = 1 / of_alone["median"]
            text = interval(ratio, 1 / of_alone["high"], 1 / of_alone["low"])
            # The goal is one of the fastest way.
            goal = overlap_goal(product["name"]) if row is fastest else None
            speed_up = sequence["seconds"]["median"] / row["seconds"]["median"] if sequence else None
            # Bytes and exposed time are missing where nothing moves between ranks.
            exposed, rate = row.get("exposed_seconds"), row.get("bytes_per_second")
            table.rows.append([f"`{name}`{fewer}", f"{row['name']}: {row['built_as']}",
                               time_text(alone["seconds"]["median"]), time_text(row["seconds"]["median"]), text,
                               f"{goal} {verdict(goal, ratio)}" if goal else "",
                               time_text(exposed["median"]) if exposed else "",
                               f"{1e-9 * rate:.0f} GB/s" if rate else "", f"{speed_up:.2f}" if speed_up else ""])
            if row is not fastest:
                continue
            table.add_ratio(name + fewer, f"{row['built_as']} / products alone", ratio, text, goal)
            if speed_up:
                table.add_ratio(name + fewer, f"collective, then product / {row['built_as']}", speed_up,
                                f"{speed_up:.3f}")
    table.notes.append("Exposed: overlapped - products alone, median of neighbours. Between ranks: bytes of all ranks / time.")
    return table


def table_of(result):
    if "products" in result:
        return ranks_table(result)
    return wire_table(result) if result.get("benchmark") == "wire" else product_table(result)


def version(number):
    """13000 is CUDA 13.0."""
    return f"{number // 1000}.{number % 1000 // 10}"


def conditions(result):
    parts = [result["date"], result["gpu"]]
    if "driver" in result:
        parts.append(f"driver {result['driver']}")
    parts.append(f"CUDA {version(result['cuda_runtime'])} (driver's {version(result['cuda_driver'])})")
    if "cublaslt" in result:
        parts.append(f"cuBLASLt {result['cublaslt'] // 10000}.{result['cublaslt'] // 100 % 100}")
    if "sm_clock_limit_mhz" in result:
        parts.append(f"clocks up to {result['sm_clock_limit_mhz']} and {result['memory_clock_limit_mhz']} MHz")
    if "power_limit_watts" in result:
        parts.append(f"power up to {result['power_limit_watts']:.0f} W")
    pairs = result.get("pairs") or option(result, "pairs")
    if pairs:
        parts.append(f"{pairs} pairs")
    return ", ".join(parts)


def load():
    results = []
    for path in sorted(RESULTS.glob("cuda-*.json")):
        try:
            result = json.loads(path.read_text())
            table_of(result)
            conditions(result)
        except (OSError, ValueError) as error:
            sys.exit(f"bench/results/{path.name}: {error}")
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            sys.exit(f"bench/results/{path.name}: not the result of a benchmark on a GPU: {type(error).__name__}: {error}")
        results.append(result)
    if not results:
        sys.exit("bench/results: no cuda-*.json; scripts/gpu_check.sh makes them")
    return results


def markdown(results):
    text = []
    for result in results:
        table = table_of(result)
        text += [f"### {table.title}", "", f"    {result['command']}", "", conditions(result) + ".", ""]
        text += ["| " + " | ".join(cells) + " |" for cells in [table.columns]]
        text.append("|" + "---|" * len(table.columns))
        text += ["| " + " | ".join(cells) + " |" for cells in table.rows]
        text += [""] + table.notes + [""]
    return "\n".join(text)


def plain(results):
    rows = [["", "ratio", "median and interval", "goal", ""]]
    for result in results:
        rows += table_of(result).ratios
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    missed = sum(row[-1] == "MISSED" for row in rows)
    met = sum(row[-1] == "met" for row in rows)
    return "\n".join(lines + ["", f"{met} goals met, {missed} missed"]) + "\n"


def split_document():
    text = DOCUMENT.read_text()
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        sys.exit("docs/performance.md has no lines between which results of GPUs stand")
    begin += len(BEGIN)
    return text[:begin], text[begin:end], text[end:]


def main():
    parser = argparse.ArgumentParser(description="Ratios that benchmarks on GPUs have left in bench/results.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--markdown", action="store_true", help="print the section of docs/performance.md")
    what.add_argument("--update", action="store_true", help="write that section")
    what.add_argument("--check", action="store_true", help="fail if the section is another one")
    options = parser.parse_args()
    results = load()
    if options.markdown:
        print(markdown(results), end="")
    elif options.update:
        before, _, after = split_document()
        DOCUMENT.write_text(before + "\n" + markdown(results) + after)
    elif options.check:
        if split_document()[1] != "\n" + markdown(results):
            sys.exit("docs/performance.md does not say what bench/results says; run scripts/gpu_results.py --update")
    else:
        print(plain(results), end="")


if __name__ == "__main__":
    main()
