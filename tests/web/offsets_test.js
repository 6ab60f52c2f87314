import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces, stringRanges, wellFormed } from '../../web/offsets.js';

const wordsAt = (text, byteRanges) =>
  stringRanges(text, byteRanges).map(([from, to]) => text.slice(from, to));

test('An empty text has no ranges', () => {
  assert.deepEqual(stringRanges('', []), []);
});

test('In ASCII bytes and positions are the same', () => {
  assert.deepEqual(
    stringRanges('a bc', [
      [0, 1],
      [2, 4],
    ]),
    [
      [0, 1],
      [2, 4],
    ],
  );
});

test('An umlaut has two bytes and one position', () => {
  // K c3b6 l n _ d a: K 0, ö 1–2, l 3, n 4, space 5, da 6–7
  assert.deepEqual(
    stringRanges('Köln da', [
      [0, 5],
      [6, 8],
    ]),
    [
      [0, 4],
      [5, 7],
    ],
  );
});

test('A Chinese character has three bytes and one position', () => {
  assert.deepEqual(
    wordsAt('宇宙 星', [
      [0, 6],
      [7, 10],
    ]),
    ['宇宙', '星'],
  );
});

test('An emoji has four bytes and two positions', () => {
  assert.deepEqual(
    stringRanges('🍞 ab', [
      [0, 4],
      [5, 7],
    ]),
    [
      [0, 2],
      [3, 5],
    ],
  );
});

test('An emoji made of several keeps all its parts', () => {
  // man 4, joiner 3, woman 4 bytes; 2 + 1 + 2 positions
  assert.deepEqual(
    stringRanges('👨‍👩 x', [
      [0, 11],
      [12, 13],
    ]),
    [
      [0, 5],
      [6, 7],
    ],
  );
});

test('A combining mark belongs to the word that it stands in', () => {
  // e U+0301: 1 + 2 bytes, 1 + 1 positions
  assert.deepEqual(
    wordsAt('cafe\u0301 x', [
      [0, 6],
      [7, 8],
    ]),
    ['cafe\u0301', 'x'],
  );
});

test('A lone surrogate counts as the three bytes of U+FFFD', () => {
  assert.deepEqual(stringRanges('\ud83c a', [[4, 5]]), [[2, 3]]);
});

test('The end of the text is a position of its own', () => {
  assert.deepEqual(stringRanges('ä', [[2, 2]]), [[1, 1]]);
});

test('Offsets beyond the text or out of order are refused', () => {
  assert.throws(
    () => stringRanges('ab', [[0, 3]]),
    /word 0 lies at bytes 0 to 3; expected between 0 and 2/,
  );
  assert.throws(
    () =>
      stringRanges('a b', [
        [2, 3],
        [0, 1],
      ]),
    /word 1/,
  );
  assert.throws(() => stringRanges('ab', [[1, 0]]), RangeError);
});

test('Pieces put together are the text', () => {
  assert.deepEqual(
    pieces('“ab”, c!', [
      [1, 3],
      [6, 7],
    ]),
    [
      { text: '“', word: -1 },
      { text: 'ab', word: 0 },
      { text: '”, ', word: -1 },
      { text: 'c', word: 1 },
      { text: '!', word: -1 },
    ],
  );
  assert.deepEqual(pieces('', []), []);
  assert.deepEqual(
    pieces('ab', [
      [0, 1],
      [1, 2],
    ]),
    [
      { text: 'a', word: 0 },
      { text: 'b', word: 1 },
    ],
  );
});

test('Half an emoji becomes a replacement character, a whole one stays', () => {
  assert.equal(wellFormed('a\ud83cb\udf5e🍞'), 'a\ufffdb\ufffd🍞');
});
