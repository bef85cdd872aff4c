#!/usr/bin/env bash
# Installs what is missing, builds, and shows the flow on two matrices of your own machine: plan, run, check; then a layer with overlap.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_dependencies.sh python3-numpy
cmake --preset release -DMESHMUL_TESTS=OFF -B build/demo >/dev/null
cmake --build build/demo --target meshmul meshmul_rank
meshmul=build/demo/bin/meshmul

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() {
  local shown="" word
  for word in "$@"; do
    word=${word//"$folder/"/}
    case $word in *[\ \*\>]*) word="'$word'" ;; esac
    shown+=" $word"
  done
  printf '\n$ meshmul%s\n' "$shown"
  "$meshmul" "$@"
}

say "1. What would it cost on 16 TPU v5e, and what else was possible?"
show plan 'bf16 A[I=8192_X, J=8192] * B[J, K=8192_X] -> C[I, K_X]' --mesh X=4,Y=4 --hardware v5e

say "2. Two matrices that do not divide by 4, as .npy files"
/usr/bin/python3 - "$folder" <<'PYTHON'
import sys
import numpy as np

rng = np.random.default_rng(0)
np.save(sys.argv[1] + "/a.npy", rng.standard_normal((1001, 777), dtype=np.float32))
np.save(sys.argv[1] + "/b.npy", rng.standard_normal((777, 1203), dtype=np.float32))
PYTHON
ls -l "$folder" | awk 'NR > 1 { print $9, $5, "bytes" }'

step=3
for backend in threads processes; do
  say "$((step++)). Their product over 4 ranks: $backend"
  show run 'A[I_X, J] * B[J_X, K] -> C[I_X, K]' --mesh X=4 --backend "$backend" \
    --input "A=$folder/a.npy" --input "B=$folder/b.npy" --output "$folder/c-$backend.npy" --check
done

say "5. Against the product in one piece, by NumPy in f64"
/usr/bin/python3 - "$folder" <<'PYTHON'
import sys
import numpy as np

folder = sys.argv[1]
a, b = (np.load(f"{folder}/{name}.npy").astype(np.float64) for name in "ab")
whole = a @ b
for backend in ("threads", "processes"):
    c = np.load(f"{folder}/c-{backend}.npy")
    error = np.abs(c - whole).max()
    # Rounding of a dot product: at most about k * eps * sum |a||b|.
    bound = (777 + 4) * 2.0**-24 * (np.abs(a) @ np.abs(b)).max()
    print(f"{backend}: {c.dtype} {c.shape}, largest error {error:.3e}, bound {bound:.3e}")
    assert error <= bound
PYTHON

say "6. A layer of a transformer, 256 x 1024 -> 16384 -> 1024, over 4 ranks: step after step, and overlapped"
cat examples/layer.mm
show run examples/layer.mm --mesh X=4 --random=1 --check --design sequential --output "$folder/sequential.npy"
html=build/demo/layer.html
show run examples/layer.mm --mesh X=4 --random=1 --check --design in-place --output "$folder/overlapped.npy" --html "$html"
echo
echo "The page $html shows how each array is cut, and when each op ran beside when it was predicted to."
