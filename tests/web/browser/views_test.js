import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percent } from '../../../web/format.js';
import {
  ask,
  assertSameWords,
  classify,
  explain,
  kTexts,
  onPage,
  promisingText,
  row,
  selectedLabel,
  serverUrl,
  wordsExpected,
  wordsIn,
} from './support.js';

async function pin(page, label) {
  await row(page, label).hover();
  await row(page, label).locator('.pin').click();
  await page.waitForSelector(`#tree .row.pinned[data-label=${JSON.stringify(label)}]`);
}

test('Without pinned labels the view says how to pin', () =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    await page.click('#tab-compare');
    assert.match(await page.textContent('#view-compare'), /Pin labels/);
  }));

test('Pinned labels stand side by side, each with its own words', () =>
  onPage({}, async (page) => {
    const text = await promisingText();
    await classify(page, text);
    const labels = [
      ...new Set(
        await page
          .locator('#tree .row[data-label]')
          .evaluateAll((rows) => rows.map((item) => item.dataset.label)),
      ),
    ].slice(0, 2);
    for (const label of labels) await pin(page, label);
    await page.click('#tab-compare');
    await page.waitForFunction(() => document.querySelectorAll('#view-compare .card').length === 2);
    const answer = await explain(text, { labels });
    for (const [index, label] of labels.entries()) {
      const { weights } = answer.labels.find((entry) => entry.label === label);
      assertSameWords(
        await wordsIn(page.locator('#view-compare .heat').nth(index)),
        wordsExpected(answer, weights),
      );
    }
    const tops = await page
      .locator('#view-compare .heat')
      .evaluateAll((texts) => texts.map((heat) => Math.round(heat.getBoundingClientRect().top)));
    assert.equal(tops[0], tops[1]);
    await page.locator('#view-compare .card button.icon').first().click();
    assert.equal(await page.locator('#view-compare .card').count(), 1);
  }));

test('Levels are compared by the mean weights of their predicted labels', () =>
  onPage({}, async (page) => {
    const text = await promisingText();
    const answer = await explain(text);
    const { labels } = await ask(`/v1/labels?model=${encodeURIComponent(answer.model)}`);
    await classify(page, text);
    await page.click('#tab-levels');
    assert.equal(
      await page.locator('#view-levels .card').count(),
      Math.max(...labels.map(({ level }) => level)),
    );
    const level = answer.labels[0].level;
    const lists = answer.labels
      .filter((entry) => entry.level === level)
      .map(({ weights }) => weights);
    const mean = answer.words.map(
      (_, word) => lists.reduce((sum, list) => sum + list[word], 0) / lists.length,
    );
    const card = page.locator('#view-levels .card', {
      has: page.locator(`h3:text-is("Level ${level}")`),
    });
    assertSameWords(await wordsIn(card.locator('.heat')), wordsExpected(answer, mean));
  }));

test('Components show their words and lead to their labels', (t) =>
  onPage({}, async (page) => {
    const text = await promisingText();
    const answer = await explain(text, { components: true });
    await classify(page, text);
    await page.click('#tab-components');
    if (!answer.components?.length) {
      await page.waitForSelector('text=This model has no components');
      return t.skip('this model has no components');
    }
    const components = answer.components.sort((a, b) => b.use - a.use);
    await page.waitForSelector('.component');
    assert.deepEqual(
      await page.locator('.component .score').allTextContents(),
      components.slice(0, 12).map(({ use }) => percent(use)),
    );
    await page.locator('.component').nth(1).click();
    const weights = answer.words.map(() => 0);
    for (const [word, weight] of components[1].words) weights[word] = weight;
    assertSameWords(
      await wordsIn(page.locator('#view-components .heat')),
      wordsExpected(answer, weights),
    );
    await page.locator('#view-components .strongest button').first().click();
    assert.equal(await selectedLabel(page), components[1].labels[0][0]);
    assert.equal(await page.locator('#view-words').isVisible(), true);
  }));

test('A model without components says so', (t) =>
  onPage({}, async (page) => {
    const { models } = await ask('/v1/models');
    const text = await promisingText();
    const without = await Promise.all(
      models.map(({ name: model }) => explain(text, { model, components: true })),
    ).then((answers) => answers.find(({ components }) => !components?.length));
    if (!without) return t.skip('all models have components');
    if (models.length > 1) await page.selectOption('#model', without.model);
    await classify(page, text);
    await page.click('#tab-components');
    await page.waitForSelector('text=This model has no components');
  }));

test('A permalink restores text, model, labels and view', () =>
  onPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    const { models } = await ask('/v1/models');
    const model = models.at(-1).name;
    if (models.length > 1) await page.selectOption('#model', model);
    await classify(page, kTexts.emoji);
    const labels = await page
      .locator('#tree .row[data-label]')
      .evaluateAll((rows) => rows.map((item) => item.dataset.label));
    await row(page, labels.at(-1)).locator('.name').click();
    await page.waitForSelector('#view-words .scores');
    await pin(page, labels[0]);
    const lit = await wordsIn(page.locator('#view-words .heat'));
    await page.waitForFunction(() => location.hash.startsWith('#z='));
    await page.click('#copy-link');
    await page.waitForSelector('text=Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${serverUrl()}/#z=`));

    await onPage({ fragment: new URL(link).hash }, async (other) => {
      await other.waitForSelector('#view-words .scores');
      assert.equal(await other.locator('#view-words .heat').textContent(), kTexts.emoji);
      assert.equal(await selectedLabel(other), labels.at(-1));
      assert.deepEqual(await wordsIn(other.locator('#view-words .heat')), lit);
      assert.equal(
        await row(other, labels[0]).evaluate((item) => item.classList.contains('pinned')),
        true,
      );
      if (models.length > 1) assert.equal(await other.inputValue('#model'), model);
    });
  }));

test('A link opened in the same tab replaces what is shown', () =>
  onPage({}, async (page) => {
    await classify(page, kTexts.ascii);
    await page.waitForFunction(() => location.hash.startsWith('#z='));
    const first = await page.evaluate(() => location.hash);
    await page.click('#edit');
    await classify(page, kTexts.umlauts);
    await page.waitForFunction((old) => location.hash !== old, first);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, first);
    await page.waitForFunction(
      (text) => document.querySelector('#view-words .heat')?.textContent === text,
      kTexts.ascii,
    );
  }));

test('A damaged link is told, and the page can be used', () =>
  onPage({ fragment: '#z=broken' }, async (page) => {
    await page.waitForSelector('#notice >> text=This link is damaged');
    await classify(page, kTexts.ascii);
    assert.equal(await page.locator('#notice').isVisible(), false);
  }));
