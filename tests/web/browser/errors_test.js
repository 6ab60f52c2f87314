import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, kTexts, onPage } from './support.js';

const refusal = (status, message, headers = {}) => ({
  status,
  headers,
  contentType: 'application/json',
  body: JSON.stringify({ error: { status, message } }),
});

async function failing(page, answer, text = kTexts.umlauts) {
  await page.route('**/v1/explain', (route) => (answer ? route.fulfill(answer) : route.abort()));
  await page.fill('#text', text);
  await page.click('#classify');
  await page.waitForSelector('#notice:not([hidden])');
}

test('A refusal is shown in the server’s words and the text is not lost', () =>
  onPage({ expectErrors: true }, async (page) => {
    await failing(page, refusal(400, 'Expected at most 5 words, found 12. Shorten the text.'));
    assert.match(
      await page.textContent('#notice'),
      /The server refused the request.*Expected at most 5 words/,
    );
    assert.equal(await page.getAttribute('#notice', 'role'), 'alert');
    assert.equal(await page.inputValue('#text'), kTexts.umlauts);
    await page.unroute('**/v1/explain');
    await page.click('#notice .retry');
    await page.waitForSelector('#view-words .heat');
    assert.equal(await page.locator('#notice').isVisible(), false);
  }));

test('Markup in a message is text', () =>
  onPage({ expectErrors: true }, async (page) => {
    await failing(page, refusal(400, '<img src=x onerror=alert(1)><b>bold</b>'));
    assert.match(await page.textContent('#notice'), /<img src=x onerror=alert\(1\)><b>bold<\/b>/);
    assert.equal(await page.locator('#notice img, #notice b').count(), 0);
  }));

test('A busy server is asked again after the wait that it named', () =>
  onPage({ expectErrors: true }, async (page) => {
    await failing(page, refusal(429, 'The queue is full.', { 'Retry-After': '2' }));
    assert.match(
      await page.textContent('#notice'),
      /The server is busy.*The queue is full\..*Try again in 2 s/,
    );
    assert.equal(await page.locator('.retry').isDisabled(), true);
    await page.unroute('**/v1/explain');
    await page.waitForSelector('.retry:enabled');
    await page.click('.retry');
    await page.waitForSelector('#view-words .heat');
  }));

test('A server that asks for a token gets one, and the page goes on', () =>
  onPage({ expectErrors: true }, async (page) => {
    const seen = [];
    await page.route('**/v1/**', (route) => {
      const header = route.request().headers().authorization;
      seen.push(header);
      return header === 'Bearer secret'
        ? route.continue()
        : route.fulfill(refusal(401, 'Give the token.'));
    });
    await page.reload();
    await page.waitForSelector('#token');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'token');
    await page.fill('#token', 'secret');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.getElementById('model-facts').textContent !== '');
    await classify(page, kTexts.ascii);
    assert.equal(seen.at(-1), 'Bearer secret');
    assert.equal(await page.evaluate(() => location.href.includes('secret')), false);
  }));

test('A server that is gone is told, with what to check', () =>
  onPage({ expectErrors: true }, async (page) => {
    await failing(page, null);
    assert.match(await page.textContent('#notice'), /The server does not answer.*Is it running/);
    assert.equal(await page.inputValue('#text'), kTexts.umlauts);
  }));

test('An answer that is no JSON is told', () =>
  onPage({}, async (page) => {
    await failing(page, { status: 200, contentType: 'text/html', body: '<html>' });
    assert.match(await page.textContent('#notice'), /not JSON/);
  }));

test('Word offsets outside the text are told, not drawn', () =>
  onPage({}, async (page) => {
    await failing(page, {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({
        model: 'm',
        text: 'ab',
        method: 'attention',
        words: [[0, 9]],
        labels: [],
        scores: {},
      }),
    });
    assert.match(await page.textContent('#notice'), /could not be shown.*word 0/);
  }));

test('A failed second request leaves the result standing', () =>
  onPage({ expectErrors: true }, async (page) => {
    await classify(page, kTexts.ascii);
    await page.route('**/v1/explain', (route) => route.fulfill(refusal(500, 'Broken.')));
    await page.locator('#tree .row[data-label]:not(.predicted)').first().click();
    await page.waitForSelector('#notice >> text=Broken.');
    assert.equal(await page.locator('#view-words .heat').textContent(), kTexts.ascii);
    await page.click('#notice >> text=Dismiss');
    assert.equal(await page.locator('#notice').isVisible(), false);
  }));
