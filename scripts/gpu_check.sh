#!/usr/bin/env bash
# On a machine with CUDA and a Hopper GPU: builds, runs all tests that need a GPU, then all benchmarks on it, which write
# bench/results/cuda-*.json, and prints one table of ratios and goals. Ends with 1 and names what has failed; the rest is
# run all the same. Installs nothing.
# scripts/gpu_check.sh [--build-only | --tests-only | --bench-only] [ARGUMENTS OF CMAKE]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=all
case "${1:-}" in
  --build-only | --tests-only | --bench-only)
    what=${1#--}
    shift
    ;;
  -h | --help)
    sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

build=build/gpu
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMESHMUL_CUDA=ON -DMESHMUL_TESTS=OFF -DMESHMUL_GPU_TESTS=ON \
  -DMESHMUL_EXAMPLES=OFF "$@"
cmake --build "$build" --target gpu_tests bench_cuda_gemm bench_cuda_wire meshmul meshmul_rank
[ "$what" = build-only ] && exit 0

limit=600 # seconds in all
failed=()
# NAME COMMAND…: within the time that is left.
step() {
  local name=$1 begin=$SECONDS left=$((limit - SECONDS))
  shift
  echo "== $name"
  if [ "$left" -le 0 ]; then
    echo "no time left"
    failed+=("$name")
    return
  fi
  timeout "$left" "$@" || failed+=("$name")
  echo "-- $((SECONDS - begin)) s"
}
tests() {
  step "$1" "$build/bin/$@" --gtest_brief=1
}
# NAME COMMAND…: a step that writes results/NAME.json, and leaves no older one if it fails.
measure() {
  rm -f "$results/$1.json"
  step "$@"
}
# NAME COMMAND…: what prints JSON, which becomes results/NAME.json.
print_json() {
  local name=$1
  shift
  "$@" >"$results/$name.part" && mv "$results/$name.part" "$results/$name.json" && return
  rm -f "$results/$name.part"
  return 1
}

if [ "$what" != bench-only ]; then
  tests gpu_gemm_kernel_test
  tests gpu_gemm_epilogue_test
  tests gpu_lane_kernel_test
  tests gpu_schedules_test
  tests gpu_faults_test
  # All streams in one queue of the device.
  step 'gpu_faults_test, one queue' env CUDA_DEVICE_MAX_CONNECTIONS=1 "$build/bin/gpu_faults_test" --gtest_brief=1 \
    --gtest_filter='*WaitForWhoeverIsLate*:Runs.*:Sessions.*'
  tests gpu_conformance_test --gtest_filter='*cuda*'
  tests gpu_timeline_test --gtest_filter='*cuda*'
  MESHMUL_TEST_EXECUTOR=cuda tests gpu_random_overlap_test
  tests gpu_c_api_test cuda
fi

if [ "$what" != tests-only ]; then
  results=bench/results
  export results
  export -f print_json
  mkdir -p "$results"
  gemm() {
    local name=$1
    shift
    measure "$name" "$build/bin/bench_cuda_gemm" --pairs 101 "$@" --json "$results/$name.json"
  }
  # NAME SUBJECT RANKS MORE…
  ranks() {
    local name=$1 subject=$2 number=$3
    shift 3
    measure "$name" bash -c 'print_json "$@"' bash "$name" "$build/bin/meshmul" bench "$subject" --backend cuda --hardware h200 \
      --mesh "X=$number" --pairs 101 --json "$@"
  }
  gemm cuda-gemm-nn --layout nn --waits
  gemm cuda-gemm-nt --layout nt --waits
  gemm cuda-gemm-f8 --layout nt --dtype f8e4m3
  gemm cuda-gemm-f8-fast --layout nt --dtype f8e4m3 --fast-sums
  measure cuda-wire "$build/bin/bench_cuda_wire" --pairs 101 --json "$results/cuda-wire.json"

  for number in 4 8; do
    products=()
    for m in 4096 16384; do
      for sizes in '1792 4096' '3584 8192' '6656 16384'; do
        read -r n k <<<"$sizes"
        products+=("bf16 A[M=${m}_X, K=$k] * B[K, N=$((n * number))_X] -> C[M, N_X]")
      done
    done
    # The planner's choice is for GPUs with links. Gathers that go first are measured where they fit the time.
    ways=planner,pull
    [ "$number" = 4 ] && ways=$ways,collective
    ranks "cuda-all-gather-$number" matmul "$number" --rows "$ways" --max-time 20s "${products[@]}"
  done
  products=()
  for sizes in '1792 4096' '3584 8192' '6656 16384'; do
    read -r k n <<<"$sizes"
    products+=("bf16 A[M=16384, K=$((k * 4))_X] * B[K_X, N=$n] -> C[M_X, N]")
  done
  ranks cuda-reduce-scatter-4 matmul 4 --rows planner,pull,push,collective --max-time 10s "${products[@]}"
  ranks cuda-mlp-4 mlp 4 --rows planner,pull,push,collective --max-time 10s --layers 1 --dtype bf16 --sizes 2048x5120x25600

  echo
  scripts/gpu_results.py || failed+=(gpu_results.py)
fi

if [ ${#failed[@]} -gt 0 ]; then
  printf -v names '%s, ' "${failed[@]}"
  echo "failed: ${names%, }" >&2
  exit 1
fi
