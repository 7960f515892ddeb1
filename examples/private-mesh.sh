#!/usr/bin/env bash
# A mesh of one's own on this computer: a meeting point, a node that serves, and one that asks. Nothing leaves the computer,
# and what they keep is thrown away at the end. In a checkout: npm exec -c 'bash examples/private-mesh.sh'
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
tidy() {
  for job in $(jobs -p); do kill "$job" 2>/dev/null || true; done
  wait
  rm -rf "$folder"
}
trap tidy EXIT

quarry() { exec node src-main/cli.ts "$@"; }

# waits until a file has a line that matches, and prints what matched
found() { until grep -soEm1 "$1" "$2"; do sleep 0.2; done; }

quarry bootstrap --port 0 >"$folder/bootstrap.txt" &
address=$(found '127\.0\.0\.1:[0-9]+' "$folder/bootstrap.txt")
echo "meeting point: $address"

# each setting has a flag, a variable and a line in quarry.toml; these two are for all commands below
export QUARRY_BOOTSTRAP="$address" QUARRY_MESH_NAME="${QUARRY_MESH_NAME:-ours}"
quarry start --headless --mine --data "$folder/worker" --port 0 >"$folder/worker.txt" &
found 'Ready' "$folder/worker.txt" >/dev/null
echo 'worker: ready'

(quarry ask --data "$folder/client" --max-tokens 32 'What is a mesh?')
echo "worker: $(found 'served [0-9a-f]{8}: .*' "$folder/worker.txt")"
(quarry credits --data "$folder/client")
(quarry credits trusted --data "$folder/client")
