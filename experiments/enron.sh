#!/usr/bin/env bash
# Enron: experiments/enron.sh DIRECTORY, which holds Enron_corr_{trainvalid,test}.arff.
# Paper split: all 1,648 rows permuted by the seed, 988/330/330, seeds 0 to 4.
# Official split: the files as they stand, 15 % of the first held out for validation.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
enron=${1:?usage: experiments/enron.sh DIRECTORY}
vectors=$(glove)
train_file=$enron/Enron_corr_trainvalid.arff
test_file=$enron/Enron_corr_test.arff

# import_once OUT ARGUMENTS…
import_once() {
  [[ -f $1/train.jsonl ]] || "$hmtc" import clus-arff "$train_file" "$test_file" --out "$@" 2> /dev/null
}

# all_rows EXPERIMENT SEED DATA
all_rows() {
  run "$1" linear "$2" "$3" --model linear
  run "$1" la-hcn-paper "$2" "$3" --embeddings "$vectors" --set model.profile=paper
  run "$1" la-hcn-reference "$2" "$3" --embeddings "$vectors" --set model.profile=reference
}

for seed in 0 1 2 3 4; do
  import_once "$work/enron-paper.$seed" --split 60/20/20 --seed "$seed"
  all_rows enron-paper "$seed" "$work/enron-paper.$seed"
done
for seed in 0 1 2; do
  import_once "$work/enron-official.$seed" --seed "$seed"
  all_rows enron-official "$seed" "$work/enron-official.$seed"
done
