#!/usr/bin/env bash
# Installs what is missing, builds a preset, runs its tests: scripts/test.sh [release|debug|asan|tsan] [ctest options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
case "${1:-}" in
  release | debug | asan | tsan)
    preset=$1
    shift
    ;;
  -h | --help)
    sed -n '2s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

scripts/install_dependencies.sh chromium chromium-driver python3-selenium
cmake --preset "$preset"
cmake --build --preset "$preset"
ctest --preset "$preset" --parallel "$(nproc)" "$@"
