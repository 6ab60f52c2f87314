import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { LinkError, decodeLink, encodeLink } from '../../web/permalink.js';

const kState = {
  text: 'Köln 🍞 宇宙\n“x”',
  model: 'm',
  selected: 'a/b',
  pinned: ['a', 'c'],
  view: 'levels',
  channel: 'linear',
};
const base64url = (bytes) => Buffer.from(bytes).toString('base64url');

test('A fragment that is none of ours is no link', async () => {
  assert.equal(await decodeLink(''), null);
  assert.equal(await decodeLink('#main'), null);
});

test('A state comes back as it went', async () => {
  assert.deepEqual(await decodeLink(`#${await encodeLink(kState)}`), kState);
});

test('A browser that cannot compress makes links too, and every browser reads them', async () => {
  const fragment = await encodeLink(kState, null);
  assert.match(fragment, /^j=[\w-]+$/);
  assert.deepEqual(await decodeLink(fragment), kState);
});

test('A link is deflated JSON in base64url, so that others can make one', async () => {
  const link = await decodeLink(`#z=${base64url(deflateSync('{"t":"ä","s":"a"}'))}`);
  assert.deepEqual(link, {
    text: 'ä',
    model: null,
    selected: 'a',
    pinned: [],
    view: null,
    channel: null,
  });
});

test('A long text is compressed', async () => {
  const fragment = await encodeLink({ text: 'word '.repeat(2000), view: 'words', pinned: [] });
  assert.ok(fragment.length < 200, `${fragment.length} characters`);
});

test('A text that no address can hold gives no link', async () => {
  let seed = 1;
  const noise = Array.from({ length: 100_000 }, () =>
    String.fromCharCode(97 + ((seed = (seed * 48271) % 2147483647) % 26)),
  );
  assert.equal(await encodeLink({ text: noise.join(''), pinned: [] }), null);
});

test('A damaged link says so', async () => {
  const whole = await encodeLink(kState);
  for (const fragment of [
    '#z=',
    '#j=',
    '#z=AAAA',
    '#j=%%%',
    `#${whole.slice(0, -8)}`,
    `#j=${base64url('{"t":1}')}`,
    `#j=${base64url('null')}`,
    `#j=${base64url([0x22, 0xff, 0x22])}`,
  ]) {
    await assert.rejects(decodeLink(fragment), LinkError, fragment);
  }
});

test('A link that would fill the memory is refused', async () => {
  const bomb = deflateSync(JSON.stringify({ t: 'a'.repeat(8 << 20) }));
  await assert.rejects(decodeLink(`#z=${base64url(bomb)}`), LinkError);
});

test('What a stranger puts into a link is taken only where it has the right type', async () => {
  const link = await decodeLink(`#j=${base64url('{"t":"x","m":5,"p":["a",7,"a"],"v":{},"s":[]}')}`);
  assert.deepEqual(link, {
    text: 'x',
    model: null,
    selected: null,
    pinned: ['a'],
    view: null,
    channel: null,
  });
});
