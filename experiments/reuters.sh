#!/usr/bin/env bash
# Reuters: experiments/reuters.sh DIRECTORY, which holds sub1{a,b}.svm, rcv1.taxonomy and
# termid_word.inferred.tsv. Paper split: all 6,000 documents permuted by the seed, 3,600/1,200/1,200,
# C1511 dropped as in the paper's 4/55/42. The labels come from a repaired copy: M143 is absent
# everywhere, C11 in sub1b.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
reuters=${1:?usage: experiments/reuters.sh DIRECTORY}
vectors=$(glove)

# import_once OUT ARGUMENTS…
import_once() {
  [[ -f $1/train.jsonl ]] || "$hmtc" import rcv1-svm "$reuters/sub1a.svm" "$reuters/sub1b.svm" --out "$@" \
    --taxonomy "$reuters/rcv1.taxonomy" --drop-label C1511 --split 60/20/20 2> /dev/null
}

for seed in 0 1 2; do
  import_once "$work/reuters-paper.$seed" --seed "$seed"
  run reuters-paper linear "$seed" "$work/reuters-paper.$seed" --model linear
  run reuters-paper la-hcn-paper "$seed" "$work/reuters-paper.$seed" --set model.profile=paper
  run reuters-paper la-hcn-reference "$seed" "$work/reuters-paper.$seed" --set model.profile=reference
  import_once "$work/reuters-words.$seed" --seed "$seed" --term-words "$reuters/termid_word.inferred.tsv"
  run reuters-paper la-hcn-paper-inferred-words "$seed" "$work/reuters-words.$seed" \
    --set model.profile=paper --embeddings "$vectors"
done
