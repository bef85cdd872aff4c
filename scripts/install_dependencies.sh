#!/usr/bin/env bash
# Installs what meshmul needs to build and test from Debian's packages; says nothing and does nothing when all is there.
set -euo pipefail

packages=(
  g++ cmake ninja-build
  libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev
  libopenblas-pthread-dev libopenblas0-pthread libdnnl-dev
  libopenmpi-dev openmpi-bin
  gnuplot-nox
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
  "$@"
)

is_installed() {
  dpkg-query --show --showformat='${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed$'
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "missing packages: ${missing[*]}; run this as root, or install sudo" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
