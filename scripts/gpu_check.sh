#!/usr/bin/env bash
# On a machine with CUDA and a Hopper GPU: builds, runs all tests that need a GPU, and the benchmark of the product kernel. Installs nothing.
# scripts/gpu_check.sh [--build-only | --tests-only] [ARGUMENTS OF CMAKE]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=all
case "${1:-}" in
  --build-only | --tests-only)
    what=${1#--}
    shift
    ;;
  -h | --help)
    sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

build=build/gpu
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMESHMUL_CUDA=ON -DMESHMUL_TESTS=OFF -DMESHMUL_GPU_TESTS=ON \
  -DMESHMUL_EXAMPLES=OFF "$@"
cmake --build "$build" --target gpu_tests bench_cuda_gemm meshmul meshmul_rank
[ "$what" = build-only ] && exit 0

failed=()
run() {
  echo "== $1"
  "$build/bin/$@" --gtest_brief=1 || failed+=("$1")
}
run gpu_gemm_kernel_test
run gpu_schedules_test
run gpu_conformance_test --gtest_filter='*cuda*'
run gpu_timeline_test --gtest_filter='*cuda*'
MESHMUL_TEST_EXECUTOR=cuda run gpu_random_overlap_test
run gpu_c_api_test cuda
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}" >&2
  exit 1
fi
[ "$what" = tests-only ] && exit 0

mkdir -p bench/results
echo "== bench_cuda_gemm"
"$build/bin/bench_cuda_gemm" --pairs 101 --json bench/results/cuda-gemm.json
