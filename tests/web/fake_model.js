// A model that needs no training: a label is probable where its words occur. Deterministic, and
// independent of the page's modules, so that the tests can take its answers as the truth.

const kLabels = [
  // label, name, parents, words
  ['nonfiction', 'Nonfiction', [], 'guide practice history science essay'],
  ['fiction', 'Fiction', [], 'novel story hero tale love'],
  ['children', 'Children', [], 'child school bedtime picture'],
  ['health', 'Health & Fitness', ['nonfiction'], 'body health breathing stretch yoga'],
  ['religion', 'Religion & Philosophy', ['nonfiction'], 'spiritual buddha meditation mind wisdom'],
  ['cooking', 'Cooking', ['nonfiction'], 'kitchen recipe bread küche brot rezept'],
  [
    'popular-science',
    'Popular Science',
    ['nonfiction'],
    'telescope planet physics star 宇宙 望遠鏡',
  ],
  ['travel', 'Travel', ['nonfiction'], 'journey island road straße reise 旅'],
  ['romance', 'Romance', ['fiction'], 'love heart kiss wedding'],
  ['mystery', 'Mystery & Suspense', ['fiction'], 'murder detective clue night'],
  [
    'science-fiction',
    'Science Fiction',
    ['fiction', 'popular-science'],
    'robot starship planet galaxy',
  ],
  ['animals', 'Animal Stories', ['children'], 'bear fox cat dog'],
  ['exercise', 'Exercise', ['health'], 'yoga stretch pose muscle training'],
  ['diet', 'Diet & Nutrition', ['health'], 'vegetable sugar diet meal'],
  ['philosophy', 'Eastern Philosophy', ['religion'], 'buddha spiritual zen karma tradition'],
  ['baking', 'Baking', ['cooking'], 'bread sourdough oven brot sauerteig ofen'],
  ['astronomy', 'Astronomy', ['popular-science'], 'telescope star galaxy 望遠鏡 星'],
  ['europe', 'Europe', ['travel'], 'köln paris straße donau'],
  ['regency', 'Regency', ['romance'], 'duke ball carriage'],
  ['noir', 'Noir', ['mystery'], 'detective rain whisky'],
  ...[
    'Poetry',
    'Drama',
    'Westerns',
    'Horror',
    'Fantasy',
    'Satire',
    'Short Stories',
    'Graphic Novels',
  ].map((name) => [name.toLowerCase().replace(' ', '-'), name, ['fiction'], name.toLowerCase()]),
];

export const labels = kLabels.map(([label, name, parents]) => ({
  label,
  name,
  level: levelOf(label),
  parents,
}));
const keywords = new Map(kLabels.map(([label, , , words]) => [label, words.split(' ')]));

export const models = [
  {
    name: 'blurbs',
    kind: 'la-hcn',
    labels: labels.length,
    levels: [3, 16, 9],
    loaded: '2026-01-02T03:04:05Z',
    default: true,
  },
  {
    name: 'blurbs-flat',
    kind: 'flat',
    labels: labels.length,
    levels: [3, 16, 9],
    loaded: '2026-01-02T03:04:05Z',
    default: false,
  },
];

export const examples = [
  {
    id: 'yoga',
    labels: ['exercise', 'philosophy'],
    text:
      'Yoga is more than a stretch. In this warm and practical guide a teacher of thirty years shows how each pose ' +
      'of hatha yoga trains the body and quiets the mind; how breathing, practised daily, becomes meditation; and what ' +
      'the Buddha, the spiritual traditions of India and a stubborn cat have to say about patience.\n\n' +
      '“Yoga,” she writes, “begins where the muscle stops arguing.” With 120 photographs and a four-week training plan.',
  },
  {
    id: 'brot',
    labels: ['baking'],
    text:
      'Brot für alle Fälle: Aus der Küche einer Bäckerin in Köln kommen 80 Rezepte – vom Sauerteig, der im Kühlschrank ' +
      'wohnt, bis zum Laib aus dem heißen Ofen. Größere Übung ist nicht nötig; Geduld schon. 🍞',
  },
  {
    id: 'space',
    labels: ['astronomy', 'science-fiction'],
    text:
      'A retired engineer builds a telescope in her garden and finds a planet that answers. Part love story, part ' +
      'physics lesson, this novel follows one robot, two sisters and a starship across a galaxy of small kindnesses.',
  },
  {
    id: '宇宙',
    labels: ['astronomy'],
    text: '望遠鏡で見る宇宙 — 星と旅の本。はじめての人のための天文学入門。',
  },
];

function levelOf(label) {
  const [, , parents] = kLabels.find(([name]) => name === label);
  return 1 + Math.max(0, ...parents.map(levelOf));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

function wordsOf(text) {
  const words = [];
  let byte = 0;
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const end = byte + Buffer.byteLength(segment);
    if (isWordLike) words.push({ range: [byte, end], word: segment.toLowerCase() });
    byte = end;
  }
  return words;
}

const noise = (seed) => {
  let hash = 2166136261;
  for (const character of seed) hash = Math.imul(hash ^ character.codePointAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 13), 1540483477);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
};
const hits = (label, word) => keywords.get(label).some((key) => word.startsWith(key));

function strength(label, words) {
  const own = new Set(words.filter(({ word }) => hits(label, word)).map(({ word }) => word)).size;
  const below = kLabels
    .filter(([, , parents]) => parents.includes(label))
    .map(([child]) => strength(child, words));
  return Math.max(own, ...below.map((value) => value + 0.3));
}

const scoreOf = (label, words) =>
  1 / (1 + Math.exp(3 - 1.3 * strength(label, words) - noise(label) * 0.4));

const attention = (label, words) => {
  const raw = words.map(({ word }) =>
    hits(label, word) ? 6 + 4 * noise(label + word) : 0.6 * noise(label + word) ** 3,
  );
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((value) => value / sum);
};
const signed = (seed, words, label = seed) =>
  words.map(({ word }) =>
    hits(label, word) ? 0.8 + noise(word + seed) : (noise(word + seed) - 0.6) * 0.9,
  );

function explainLabel(label, words, flat) {
  const score = scoreOf(label, words);
  const entry = {
    ...labels.find((other) => other.label === label),
    predicted: score >= 0.5,
    score,
  };
  delete entry.parents;
  if (flat) return { ...entry, weights: signed(label, words) };
  return {
    ...entry,
    parts: { local: score ** 1.3, global: score ** 0.8, linear: score ** 0.9 },
    votes: { local: 1.5, global: 0.25, linear: -0.75, shift: 0.1 },
    linear_share: 0.25 + noise(label) / 2,
    weights: attention(label, words),
    evidence_weights: signed(`${label} evidence`, words, label),
    linear_weights: signed(label, words),
  };
}

const kComponents = 10; // of each level
const kMostComponents = 8;
const kMostWords = 12;
const kMostLabels = 8;

// How the label shares its use among the components of its level.
function associations(label) {
  const raw = Array.from({ length: kComponents }, (_, number) => noise(`${label}|${number}`) ** 4);
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((value) => value / sum);
}

const best = (entries, most) => entries.sort((a, b) => b[1] - a[1]).slice(0, most);

// Like the program: per level those that its explained labels use most, counted from 1.
function componentsOf(words, explained) {
  const depth = Math.max(...labels.map(({ level }) => level));
  return Array.from({ length: depth }, (_, index) => index + 1).flatMap((level) => {
    const all = labels.filter((other) => other.level === level).map(({ label }) => label);
    const used = explained.filter((label) => all.includes(label));
    const rows = (used.length > 0 ? used : all).map(associations);
    const uses = Array.from({ length: kComponents }, (_, number) => [
      number,
      rows.reduce((sum, row) => sum + row[number], 0) / rows.length,
    ]);
    return best(uses, kMostComponents).map(([number, use]) => ({
      level,
      component: number + 1,
      use,
      words: best(
        words.map(({ word }, place) => [place, noise(`${level} ${number} ${word}`) - 0.3]),
        kMostWords,
      ),
      labels: best(
        all.map((label) => [label, associations(label)[number]]),
        kMostLabels,
      ),
    }));
  });
}

export function explain({ text, model, labels: asked, all_scores: allScores, components }) {
  const words = wordsOf(text);
  const flat = model === 'blurbs-flat';
  const scores = Object.fromEntries(labels.map(({ label }) => [label, scoreOf(label, words)]));
  const chosen = labels
    .filter(({ label }) => (asked?.length > 0 ? asked.includes(label) : scores[label] >= 0.5))
    .sort((a, b) => a.level - b.level || scores[b.label] - scores[a.label])
    .map(({ label }) => label);
  const answer = {
    model,
    id: '',
    text,
    method: flat ? 'leave-one-out' : 'attention',
    words: words.map(({ range }) => range),
    labels: chosen.map((label) => explainLabel(label, words, flat)),
  };
  if (allScores) answer.scores = scores;
  if (components && !flat) answer.components = componentsOf(words, chosen);
  return answer;
}
