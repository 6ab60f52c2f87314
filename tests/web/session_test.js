import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api, ApiError, describe, secondsToWait } from '../../web/api.js';
import { byLevel, channelOf, channelsOf, partsOf } from '../../web/result.js';
import { Session } from '../../web/session.js';

const kTree = [
  { label: 'a', level: 1, parents: [] },
  { label: 'b', level: 2, parents: ['a'] },
];
const kModels = [{ name: 'first', default: true }, { name: 'second' }];

function label(name, changes = {}) {
  return {
    label: name,
    level: kTree.find((other) => other.label === name).level,
    predicted: true,
    score: 0.9,
    weights: [1, 0],
    ...changes,
  };
}

// Answers like the server; `asked` holds the questions.
function fakeApi(changes = {}) {
  const asked = [];
  return {
    asked,
    models: async () => kModels,
    examples: async () => [],
    labels: async () => kTree,
    explain: async (body) => {
      asked.push(body);
      return {
        model: body.model,
        text: body.text,
        method: 'attention',
        words: [
          [0, 1],
          [2, 3],
        ],
        scores: { a: 0.9, b: 0.2 },
        labels: (body.labels ?? ['a']).map((name) => label(name, { predicted: name === 'a' })),
      };
    },
    ...changes,
  };
}

async function started(api = fakeApi()) {
  const session = new Session(api, () => {});
  await session.start(null);
  return session;
}

test('The default model is chosen, nothing is asked of it yet', async () => {
  const api = fakeApi();
  const session = await started(api);
  assert.equal(session.model, 'first');
  assert.deepEqual([session.result, session.failure, api.asked], [null, null, []]);
});

test('A text is classified and its most specific predicted label shown', async () => {
  const session = await started();
  await session.classify('x y');
  assert.deepEqual(session.result.words, ['x', 'y']);
  assert.equal(session.selected, 'a');
});

test('A label that is not predicted is explained when it is chosen, once', async () => {
  const api = fakeApi();
  const session = await started(api);
  await session.classify('x y');
  await session.select('b');
  await session.togglePin('b');
  assert.deepEqual(
    api.asked.map(({ labels }) => labels),
    [undefined, ['b']],
  );
  assert.ok(session.result.explained.has('b'));
});

test('A failure keeps the text and can be tried again', async () => {
  let broken = true;
  const working = fakeApi();
  const api = fakeApi({
    explain: async (body) => {
      if (broken) throw new ApiError(429, 'full', 3);
      return working.explain(body);
    },
  });
  const session = await started(api);
  await session.classify('x y');
  assert.equal(session.text, 'x y');
  assert.equal(session.failure.error.message, 'full');
  broken = false;
  await session.failure.retry();
  assert.deepEqual([session.failure, session.result.text], [null, 'x y']);
});

test('A newer text wins over an older one that is still under way', async () => {
  const working = fakeApi();
  const api = fakeApi({
    explain: (body, signal) =>
      body.text === 's l'
        ? new Promise((_, reject) =>
            signal.addEventListener('abort', () =>
              reject(Object.assign(new Error(), { name: 'AbortError' })),
            ),
          )
        : working.explain(body),
  });
  const session = await started(api);
  const slow = session.classify('s l');
  await new Promise((resolve) => setTimeout(resolve));
  await session.classify('x y');
  await slow;
  assert.deepEqual([session.result.text, session.failure, session.busy], ['x y', null, false]);
});

test('A model that is chosen during the first classification answers it', async () => {
  const answers = fakeApi();
  let slow = null; // the question that waits
  const api = fakeApi({
    explain: (body, signal) => {
      if (body.model !== 'first') return answers.explain(body);
      return new Promise((_, reject) => {
        slow = body;
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      });
    },
  });
  const session = await started(api);
  const classified = session.classify('x y');
  while (!slow) await new Promise((resolve) => setTimeout(resolve));
  await session.setModel('second');
  await classified;
  assert.deepEqual([session.model, session.result.model], ['second', 'second']);
  assert.deepEqual([session.busy, session.failure], [false, null]);
});

test('A pinned label can be tried again more than once', async () => {
  let failures = 2;
  const working = fakeApi();
  const api = fakeApi({
    explain: async (body) => {
      if (body.labels?.includes('b') && failures-- > 0) throw new ApiError(503, 'busy');
      return working.explain(body);
    },
  });
  const session = await started(api);
  await session.classify('x y');
  await session.togglePin('b');
  await session.failure.retry();
  await session.failure.retry();
  assert.equal(session.failure, null);
  assert.ok(session.result.explained.has('b'));
});

test('A link brings back text, model, labels and view', async () => {
  const api = fakeApi();
  const session = new Session(api, () => {});
  await session.start({
    text: 'x y',
    model: 'second',
    selected: 'b',
    pinned: ['a', 'gone'],
    view: 'compare',
    channel: null,
  });
  assert.deepEqual(
    [session.model, session.selected, session.pinned, session.view],
    ['second', 'b', ['a'], 'compare'],
  );
  assert.deepEqual(
    api.asked.map((body) => body.model),
    ['second', 'second'],
  );
});

test('A link to a model that is not served is answered by the default one, and says so', async () => {
  const session = new Session(fakeApi(), () => {});
  await session.start({ text: 'x y', model: 'old', pinned: [] });
  assert.equal(session.result.model, 'first');
  assert.match(session.failure.error.message, /“old”, which is not served here/);
});

test('Labels unknown to the tree make the tree be read again', async () => {
  let trees = 0;
  const api = fakeApi({ labels: async () => (trees++ === 0 ? kTree.slice(0, 1) : kTree) });
  const session = await started(api);
  await session.classify('x y');
  assert.equal(trees, 2);
  assert.ok(session.result.tree.nodes.has('b'));
});

test('A model without components has an empty list of them', async () => {
  const session = await started();
  await session.classify('x y');
  await session.setView('components');
  assert.deepEqual(session.result.components, []);
});

test('Components are asked for with all predicted labels and shown by use', async () => {
  const components = [0.2, 0.7].map((use) => ({ level: 1, component: 1, use }));
  const working = fakeApi();
  const api = fakeApi({
    explain: async (body) => {
      working.asked.push(body);
      const answer = await fakeApi().explain({ ...body, labels: body.labels ?? ['a', 'b'] });
      for (const entry of answer.labels) entry.predicted = true;
      return body.components ? { ...answer, components } : answer;
    },
  });
  const session = await started(api);
  await session.classify('x y');
  await session.setView('components');
  assert.deepEqual(working.asked.at(-1).labels, ['a', 'b']);
  assert.deepEqual(
    session.result.components.map(({ use }) => use),
    [0.7, 0.2],
  );
});

test('Half an emoji is mended before it is sent', async () => {
  const api = fakeApi();
  await (await started(api)).classify('x \ud83c');
  assert.equal(api.asked[0].text, 'x \ufffd');
});

test('Evidence stands between the attention and the linear part', () => {
  const label = { weights: [1], evidence_weights: [-2], linear_weights: [3] };
  assert.deepEqual(
    channelsOf({ method: 'attention' }, label).map(({ id, signed }) => [id, signed]),
    [
      ['attention', false],
      ['evidence', true],
      ['linear', true],
    ],
  );
});

test('A linear part is a second way of seeing a label', () => {
  const result = { method: 'attention' };
  const both = { weights: [1], linear_weights: [-1] };
  assert.deepEqual(
    channelsOf(result, both).map(({ id, signed }) => [id, signed]),
    [
      ['attention', false],
      ['linear', true],
    ],
  );
  assert.equal(channelOf(result, both, 'linear').weights, both.linear_weights);
  assert.equal(channelOf(result, { weights: [1] }, 'linear').id, 'attention');
  assert.equal(channelsOf({ method: 'leave-one-out' }, { weights: [1] })[0].signed, true);
});

test('Of the scores only those that the model has are shown, the combined last', () => {
  const parts = partsOf({
    score: 0.5,
    parts: { linear: 0.4, local: 0.6 },
    votes: { local: 1.5, linear: -0.5, shift: 0.1 },
  });
  assert.deepEqual(
    parts.map(({ vote }) => vote),
    [1.5, -0.5, 0.1],
  );
  assert.deepEqual(
    parts.map(({ id, score }) => [id, score]),
    [
      ['local', 0.6],
      ['linear', 0.4],
      ['combined', 0.5],
    ],
  );
  assert.deepEqual(
    partsOf({ score: 0.5 }).map(({ id }) => id),
    ['combined'],
  );
  const single = partsOf({
    score: 0.5,
    parts: { linear: 0.4 },
    votes: { network: 2, linear: -1, shift: 0.1 },
  });
  assert.deepEqual(
    single.map(({ id, vote }) => [id, vote]),
    [
      ['network', 2],
      ['linear', -1],
      ['combined', 0.1],
    ],
  );
});

test('Levels without a predicted label are levels too', async () => {
  const session = await started();
  await session.classify('x y');
  assert.deepEqual(
    byLevel(session.result).map(({ level, labels }) => [level, labels.length]),
    [
      [1, 1],
      [2, 0],
    ],
  );
});

const answering = (status, body, headers = {}) =>
  new Api({ base: 'http://h/', fetch: async () => new Response(body, { status, headers }) });

test('An error of the server is told in its own words', async () => {
  const api = answering(400, '{"error":{"status":400,"message":"Expected text."}}');
  await assert.rejects(api.explain({ text: '' }), { status: 400, message: 'Expected text.' });
});

test('An error that is not JSON is told by its status', async () => {
  await assert.rejects(answering(502, '<html>').models(), { status: 502, message: /status 502/ });
});

test('An answer that is not JSON is an error', async () => {
  await assert.rejects(answering(200, '<html>').models(), /not JSON/);
});

test('No answer at all is an error with a remedy', async () => {
  const api = new Api({
    base: 'http://h/',
    fetch: async () => {
      throw new TypeError('refused');
    },
  });
  await assert.rejects(api.models(), { status: 0, message: /Is it running/ });
});

test('The token goes into the header and nowhere else', async () => {
  let seen;
  const api = new Api({
    base: 'http://h/p/',
    token: 't',
    fetch: async (url, options) => {
      seen = { url: String(url), authorization: options.headers.Authorization };
      return new Response('{"labels":[]}');
    },
  });
  await api.labels('a b');
  assert.deepEqual(seen, { url: 'http://h/p/v1/labels?model=a%20b', authorization: 'Bearer t' });
});

test('Retry-After is seconds or a date', () => {
  assert.equal(secondsToWait(null), null);
  assert.equal(secondsToWait('7'), 7);
  assert.equal(secondsToWait('Thu, 01 Jan 1970 00:00:10 GMT', 4000), 6);
  assert.equal(secondsToWait('soon'), null);
});

test('Busy and not ready ask to wait, 401 asks for a token', () => {
  assert.equal(describe(new ApiError(429, 'm', 7)).wait, 7);
  assert.equal(describe(new ApiError(503, 'm')).wait, 1);
  assert.equal(describe(new ApiError(401, 'm')).needsToken, true);
  assert.equal(describe(new ApiError(400, 'm')).wait, 0);
});
