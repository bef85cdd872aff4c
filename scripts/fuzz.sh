#!/usr/bin/env bash
# Installs what is missing, builds the fuzzers, runs them: scripts/fuzz.sh [TARGET…] [--runs N | --seconds S] [--seed N]
# Without a target, all of them; without a limit, 60 seconds each. Inputs that break a promise stay in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

targets=()
limit=(-max_total_time=60)
seed=()
while [ $# -gt 0 ]; do
  case $1 in
    --runs) limit=(-runs="$2") && shift 2 ;;
    --seed) seed=(-seed="$2") && shift 2 ;;
    --seconds) limit=(-max_total_time="$2") && shift 2 ;;
    -h | --help) sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}" && exit 0 ;;
    *) targets+=("$1") && shift ;;
  esac
done
[ ${#targets[@]} -gt 0 ] || for source in fuzz/*.cpp; do targets+=("$(basename "$source" .cpp)"); done

for target in "${targets[@]}"; do
  [ -e "fuzz/$target.cpp" ] || { echo "there is no fuzzer $target" >&2 && exit 2; }
done

# What the tests read is good to begin with, too.
declare -A more_seeds=(
  [hardware]=profiles [npy]=tests/io/data [safetensors]=tests/io/data [schedule]="tests/verify/schedules examples/schedules"
)

scripts/install_dependencies.sh clang-19 libclang-rt-19-dev libomp-19-dev llvm-19
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

# Fuzzers of files write them in memory where they can.
TMPDIR=$(mktemp -d --tmpdir="$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" meshmul-fuzz-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-19/bin/llvm-symbolizer UBSAN_OPTIONS=print_stacktrace=1

failed=()
for target in "${targets[@]}"; do
  findings=build/fuzz/findings/$target
  corpus=build/fuzz/corpus/$target  # inputs that reached new code, from this run and earlier ones
  log=build/fuzz/findings/$target.log
  mkdir -p "$findings" "$corpus"
  dictionary=fuzz/dictionaries/$target.dict
  read -ra seeds <<<"${more_seeds[$target]:-}"
  [ ! -d "fuzz/corpus/$target" ] || seeds+=("fuzz/corpus/$target")
  options=("${limit[@]}" "${seed[@]}" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -max_len=4096 -print_final_stats=1
    -artifact_prefix="$findings/")
  [ ! -e "$dictionary" ] || options+=(-dict="$dictionary")
  if "build/fuzz/bin/fuzz_$target" "${options[@]}" "$corpus" "${seeds[@]}" 2>"$log"; then
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    coverage=$(grep -o 'cov: [0-9]* ft: [0-9]*' "$log" | tail -1)
    echo "$target: $inputs inputs, $coverage"
  else
    failed+=("$target")
    echo "$target: broke a promise" >&2
    tail -40 "$log" >&2
  fi
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}; the inputs are in build/fuzz/findings, run one again with build/fuzz/bin/fuzz_TARGET FILE" >&2
  exit 1
fi
