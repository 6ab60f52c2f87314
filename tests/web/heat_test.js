import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percent, plural, weight } from '../../web/format.js';
import { largest, mean, shades, spread, strongest, ticks } from '../../web/heat.js';

test('Without weights, or with none but zero, nothing is shaded', () => {
  assert.deepEqual(shades([]), []);
  assert.deepEqual(shades([0, 0]), [0, 0]);
});

test('The word that weighs most has shade 1, others in proportion', () => {
  assert.deepEqual(shades([0.1, 0.4, 0]), [0.25, 1, 0]);
});

test('Signed weights are scaled by the largest on either side', () => {
  assert.deepEqual(shades([1, -2]), [0.5, -1]);
  assert.equal(largest([1, -2]), 2);
});

test('An undefined weight is no weight', () => {
  assert.deepEqual(shades([null, 2, NaN]), [0, 1, 0]);
});

test('A signed legend has its zero in the middle', () => {
  assert.deepEqual(ticks(3, false), [0, 3]);
  assert.deepEqual(ticks(3, true), [-3, 0, 3]);
});

test('Occurrences of a word are added, whatever their case', () => {
  assert.deepEqual(strongest(['Yoga', 'is', 'yoga'], [0.25, 0.3, 0.25], 2), [
    { word: 'Yoga', times: 2, weight: 0.5 },
    { word: 'is', times: 1, weight: 0.3 },
  ]);
});

test('Strongest means far from zero on either side; what weighs next to nothing is left out', () => {
  assert.deepEqual(
    strongest(['a', 'b', 'c', 'd'], [0.5, -1, 0.09, 0], 9).map(({ word }) => word),
    ['b', 'a'],
  );
  assert.deepEqual(strongest([], [], 3), []);
});

test('The mean is taken word by word', () => {
  assert.deepEqual(mean([]), []);
  assert.deepEqual(
    mean([
      [1, 0],
      [0.5, -1],
    ]),
    [0.75, -0.5],
  );
});

test('Pairs of word and weight are spread over all words', () => {
  assert.deepEqual(
    spread(
      [
        [2, 0.5],
        [0, 1],
      ],
      3,
    ),
    [1, 0, 0.5],
  );
  assert.deepEqual(spread([[7, 1]], 2), [0, 0]);
});

test('Probabilities never round to certainty', () => {
  assert.deepEqual([0, 0.0004, 0.034, 0.5, 0.934, 0.9951, 1, null].map(percent), [
    '0 %',
    '<0.1 %',
    '3.4 %',
    '50 %',
    '93 %',
    '>99 %',
    '100 %',
    '–',
  ]);
});

test('Weights keep two digits and their sign', () => {
  assert.deepEqual([0, 0.1234, -1.55, 0.0002, 123.4, null].map(weight), [
    '0',
    '0.12',
    '−1.6',
    '<0.001',
    '123',
    '–',
  ]);
});

test('One label, two labels', () => {
  assert.deepEqual(
    [plural(1, 'label'), plural(2, 'label'), plural(1234, 'label')],
    ['1 label', '2 labels', '1,234 labels'],
  );
});
