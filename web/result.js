// What the model said about one text: the answers of POST /v1/explain put together. No document.
import { stringRanges } from './offsets.js';

export function makeResult(answer, tree) {
  const ranges = stringRanges(answer.text, answer.words);
  const result = {
    model: answer.model,
    text: answer.text,
    method: answer.method,
    ranges,
    words: ranges.map(([from, to]) => answer.text.slice(from, to)),
    scores: answer.scores ?? {},
    explained: new Map(),
    components: null, // the most used first; null: not asked for yet
    tree,
  };
  addLabels(result, answer);
  return result;
}

// Labels that were asked for later. False: the answer is about other words, as when the server has
// loaded another model meanwhile.
export function addAnswer(result, answer) {
  if (answer.text !== result.text || answer.words.length !== result.words.length) return false;
  addLabels(result, answer);
  if (answer.components) {
    result.components = [...answer.components].sort((a, b) => b.use - a.use);
  }
  return true;
}

function addLabels(result, answer) {
  for (const label of answer.labels) result.explained.set(label.label, label);
}

export const predictedLabels = (result) =>
  [...result.explained.values()].filter((label) => label.predicted);

// What to show first: the most probable of the most specific predicted labels.
export function firstChoice(result) {
  const [best] = predictedLabels(result).sort((a, b) => b.level - a.level || b.score - a.score);
  return best?.label ?? null;
}

// The ways of weighing words that a label can be seen by, the first by default.
export function channelsOf(result, label) {
  const signed = result.method !== 'attention';
  const channels = [
    {
      id: result.method,
      name: kMethodNames[result.method] ?? result.method,
      signed,
      weights: label.weights,
    },
  ];
  if (label.evidence_weights) {
    channels.push({
      id: 'evidence',
      name: 'Evidence',
      signed: true,
      weights: label.evidence_weights,
    });
  }
  if (label.linear_weights) {
    channels.push({ id: 'linear', name: 'Linear', signed: true, weights: label.linear_weights });
  }
  return channels;
}

export function channelOf(result, label, wanted) {
  const channels = channelsOf(result, label);
  return channels.find((channel) => channel.id === wanted) ?? channels[0];
}

const kMethodNames = {
  attention: 'Attention',
  'leave-one-out': 'Leave one out',
  coefficient: 'Coefficient',
};

export const kChannelMeanings = {
  attention:
    'How much the label’s attention rests on each word; all words of the text together make 1.',
  evidence: 'What each word adds to the score of the label’s own level, or takes from it.',
  'leave-one-out': 'What the label’s score, as a logit, loses when the word is left out.',
  coefficient: 'The linear model’s coefficient for the label times the word’s weight in the text.',
  linear: 'What each word adds to the label’s score by the linear part, or takes from it.',
};

// The scores that make up a label's probability, in the order in which they are made.
export function partsOf(label) {
  const parts = kParts
    .map((part) => ({ ...part, score: label.parts?.[part.id], vote: label.votes?.[part.id] }))
    .filter(({ score, vote }) => score !== undefined || vote !== undefined);
  return [
    ...parts,
    {
      id: 'combined',
      name: 'Combined',
      score: label.score,
      vote: label.votes?.shift,
      meaning: 'the probability that decides; never above that of the label’s parent',
    },
  ];
}

const kParts = [
  { id: 'local', name: 'Local', meaning: 'the classifier of the label’s own level' },
  { id: 'global', name: 'Global', meaning: 'the classifier that sees all levels at once' },
  { id: 'network', name: 'Network', meaning: 'the network’s only classifier' },
  {
    id: 'linear',
    name: 'Linear',
    meaning: 'the linear model beside the network, on counted words',
  },
];

// The predicted labels level by level: [{level, labels}], from level 1 to the tree's last.
export function byLevel(result) {
  const depth = [...result.tree.nodes.values()].reduce(
    (deepest, node) => Math.max(deepest, node.level),
    0,
  );
  const predicted = predictedLabels(result).sort((a, b) => b.score - a.score);
  return Array.from({ length: depth }, (_, index) => ({
    level: index + 1,
    labels: predicted.filter((label) => label.level === index + 1),
  }));
}
