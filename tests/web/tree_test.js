import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildTree,
  displayName,
  keyInTree,
  keysAbove,
  moreShown,
  pathOf,
  visibleRows,
} from '../../web/tree.js';

// a ── b ── d        d hangs under b and under c
// c ── d
const kGraph = [
  { label: 'a', level: 1, parents: [] },
  { label: 'c', level: 1, parents: [], name: 'Sea' },
  { label: 'b', level: 2, parents: ['a'] },
  { label: 'd', level: 3, parents: ['b', 'c'] },
];
const graph = buildTree(kGraph);
const view = (changes = {}) => ({
  scores: { a: 0.2, b: 0.1, c: 0.9, d: 0.05 },
  keep: new Set(),
  open: new Set(),
  more: new Map(),
  query: '',
  ...changes,
});
const outline = (rows) =>
  rows.map((row) => '  '.repeat(row.depth - 1) + (row.name ?? `+${row.hidden}`));

test('A tree without labels has no rows', () => {
  assert.deepEqual(visibleRows(buildTree([]), view()), []);
});

test('Closed, the top labels are seen, the most probable first', () => {
  assert.deepEqual(outline(visibleRows(graph, view())), ['Sea', 'a']);
});

test('A label with two parents is seen under both', () => {
  const open = keysAbove(graph, ['d']);
  assert.deepEqual([...open].sort(), ['\ta', '\ta\tb', '\tc']);
  assert.deepEqual(outline(visibleRows(graph, view({ open }))), [
    'Sea',
    '  d',
    'a',
    '  b',
    '    d',
  ]);
});

test('A graph with very many paths is looked at once', () => {
  const labels = Array.from({ length: 60 }, (_, level) =>
    ['a', 'b'].map((side) => ({
      label: `${side}${level}`,
      level: level + 1,
      parents: level === 0 ? [] : [`a${level - 1}`, `b${level - 1}`],
    })),
  ).flat();
  assert.ok(keysAbove(buildTree(labels), ['a59']).size < 60 * 8);
});

test('Rows say their place among their siblings', () => {
  const [first, second] = visibleRows(graph, view());
  assert.deepEqual([first.position, first.size, first.expandable, first.open], [1, 2, true, false]);
  assert.equal(second.position, 2);
});

const wide = buildTree([
  { label: 'top', level: 1, parents: [] },
  ...Array.from({ length: 80 }, (_, i) => ({ label: `x${i}`, level: 2, parents: ['top'] })),
]);

test('Many improbable siblings fold into one row, except those that matter', () => {
  const scores = { x70: 0.9, x71: 0.3 };
  const rows = visibleRows(
    wide,
    view({ scores, open: new Set(['\ttop']), keep: new Set(['x60']) }),
  );
  // 6 are always shown, x70 and x71 first among them; x60 is kept: 80 − 7 hidden
  assert.equal(rows.length, 1 + 7 + 1);
  assert.deepEqual(
    rows.slice(1, 3).map(({ label }) => label),
    ['x70', 'x71'],
  );
  assert.ok(rows.some(({ label }) => label === 'x60'));
  assert.equal(rows.at(-1).hidden, 73);
});

test('Asking for more shows fifty more', () => {
  const more = moreShown(new Map(), '\ttop');
  const rows = visibleRows(wide, view({ scores: {}, open: new Set(['\ttop']), more }));
  assert.equal(rows.length, 1 + 56 + 1);
  assert.equal(rows.at(-1).hidden, 24);
});

test('Two that would be folded are shown instead', () => {
  const eight = buildTree(
    Array.from({ length: 8 }, (_, i) => ({ label: `x${i}`, level: 1, parents: [] })),
  );
  assert.equal(visibleRows(eight, view({ scores: {} })).length, 8);
});

test('A search shows what matches, in label or name, and what lies above', () => {
  assert.deepEqual(outline(visibleRows(graph, view({ query: 'D' }))), [
    'Sea',
    '  d',
    'a',
    '  b',
    '    d',
  ]);
  assert.deepEqual(outline(visibleRows(graph, view({ query: 'sea' }))), ['Sea']);
  assert.deepEqual(visibleRows(graph, view({ query: 'zzz' })), []);
});

test('A label that repeats its parent is shown by the rest', () => {
  assert.equal(displayName({ label: 'a/b' }, { label: 'a' }), 'b');
  assert.equal(displayName({ label: 'ab' }, { label: 'a' }), 'ab');
  assert.equal(displayName({ label: 'a/b', name: 'Bee' }, { label: 'a' }), 'Bee');
});

test('The path of a label follows first parents', () => {
  assert.deepEqual(pathOf(graph, 'd'), ['a', 'b', 'd']);
  assert.deepEqual(pathOf(graph, 'unknown'), []);
});

const rows = visibleRows(graph, view({ open: new Set(['\tc']) })); // Sea, d, a

test('Up and down walk and stop at the ends', () => {
  assert.deepEqual(keyInTree(rows, 0, 'ArrowDown'), { focus: 1 });
  assert.deepEqual(keyInTree(rows, 0, 'ArrowUp'), { focus: 0 });
  assert.deepEqual(keyInTree(rows, 2, 'ArrowDown'), { focus: 2 });
  assert.deepEqual(keyInTree(rows, 2, 'Home'), { focus: 0 });
  assert.deepEqual(keyInTree(rows, 0, 'End'), { focus: 2 });
});

test('Right opens, then enters; left closes, then goes to the parent', () => {
  assert.deepEqual(keyInTree(rows, 2, 'ArrowRight'), { toggle: 2 });
  assert.deepEqual(keyInTree(rows, 0, 'ArrowRight'), { focus: 1 });
  assert.equal(keyInTree(rows, 1, 'ArrowRight'), null);
  assert.deepEqual(keyInTree(rows, 0, 'ArrowLeft'), { toggle: 0 });
  assert.deepEqual(keyInTree(rows, 1, 'ArrowLeft'), { focus: 0 });
  assert.equal(keyInTree(rows, 2, 'ArrowLeft'), null);
});

test('A letter leads to the next label that begins with it', () => {
  assert.deepEqual(keyInTree(rows, 0, 'a'), { focus: 2 });
  assert.deepEqual(keyInTree(rows, 2, 'S'), { focus: 0 });
  assert.equal(keyInTree(rows, 0, 'q'), null);
  assert.equal(keyInTree(rows, 0, 'F5'), null);
});
