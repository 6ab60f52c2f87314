// From weights of words to shades, legends and lists: numbers only, no document.

const kNoticeable = 0.1; // of the strongest word's weight

const finite = (value) => (Number.isFinite(value) ? value : 0);

// Shades in −1 … 1, proportional to the weights; ±1 is the word that weighs most.
export function shades(weights) {
  const max = largest(weights);
  return weights.map((weight) => (max > 0 ? finite(weight) / max : 0));
}

export function largest(weights) {
  return weights.reduce((max, weight) => Math.max(max, Math.abs(finite(weight))), 0);
}

// The marks of a legend, from left to right.
export function ticks(max, signed) {
  return signed ? [-max, 0, max] : [0, max];
}

// The `count` words that weigh most, all occurrences of a word taken together:
// [{word, times, weight}]; a word is spelled as where it first occurs, and left out where it weighs
// next to nothing.
export function strongest(words, weights, count) {
  const sums = new Map();
  words.forEach((word, index) => {
    const key = word.toLocaleLowerCase();
    const entry = sums.get(key) ?? { word, times: 0, weight: 0 };
    entry.times += 1;
    entry.weight += finite(weights[index]);
    sums.set(key, entry);
  });
  const sorted = [...sums.values()].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const least = kNoticeable * Math.abs(sorted[0]?.weight ?? 0);
  return sorted
    .filter((entry) => entry.weight !== 0 && Math.abs(entry.weight) >= least)
    .slice(0, count);
}

// Word by word, the mean of several labels' weights.
export function mean(lists) {
  if (lists.length === 0) return [];
  return lists[0].map(
    (_, word) => lists.reduce((sum, weights) => sum + finite(weights[word]), 0) / lists.length,
  );
}

// [[word, weight], …] to one weight per word.
export function spread(pairs, count) {
  const weights = new Array(count).fill(0);
  for (const [word, weight] of pairs) {
    if (word >= 0 && word < count) weights[word] += finite(weight);
  }
  return weights;
}
