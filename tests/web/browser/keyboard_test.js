import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, explain, kTexts, onPage, promisingText } from './support.js';

const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return {
      id: element.id,
      role: element.getAttribute('role'),
      label: element.dataset.label,
      key: element.dataset.key,
      expanded: element.getAttribute('aria-expanded'),
      level: Number(element.getAttribute('aria-level')),
      outline: getComputedStyle(element).outlineStyle,
    };
  });

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

test('From an empty page to lit words without a mouse', () =>
  onPage({}, async (page) => {
    await page.focus('#text');
    await page.keyboard.insertText(kTexts.ascii);
    await press(page, 'Tab', 'Enter');
    await page.waitForSelector('#result:not([hidden])');
    assert.equal((await focused(page)).role, 'treeitem');
    await press(page, 'Home', 'Enter');
    await page.waitForSelector('#view-words .scores');
    const { label } = await focused(page);
    assert.equal(
      await page.locator('#tree [aria-selected=true]').first().getAttribute('data-label'),
      label,
    );
    assert.ok((await page.locator('#view-words .w').count()) > 5);
  }));

test('Arrow keys walk the tree: open, enter, leave, close', (t) =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    if ((await page.locator('#tree [aria-expanded]').count()) === 0) return t.skip('a flat tree');
    await page.focus('#tree [tabindex="0"]');
    await press(page, 'Home');
    while ((await focused(page)).expanded === null) await press(page, 'ArrowDown');
    const top = await focused(page);
    assert.equal(top.level, 1);
    if (top.expanded === 'true') await press(page, 'ArrowLeft');
    assert.deepEqual(
      [(await focused(page)).key, (await focused(page)).expanded],
      [top.key, 'false'],
    );
    await press(page, 'ArrowRight');
    assert.deepEqual(
      [(await focused(page)).key, (await focused(page)).expanded],
      [top.key, 'true'],
    );
    await press(page, 'ArrowRight');
    const child = await focused(page);
    assert.equal(child.level, 2);
    assert.ok(child.key.startsWith(`${top.key}\t`));
    await press(page, 'ArrowLeft');
    if ((await focused(page)).key !== top.key) await press(page, 'ArrowLeft');
    assert.equal((await focused(page)).key, top.key);
    await press(page, 'ArrowDown', 'ArrowUp');
    assert.equal((await focused(page)).key, top.key);
    await press(page, 'End');
    const last = await focused(page);
    await press(page, 'ArrowDown');
    assert.equal((await focused(page)).key, last.key);
  }));

test('The focus can be seen', () =>
  onPage({}, async (page) => {
    await page.focus('#text');
    await page.keyboard.insertText(kTexts.ascii);
    await press(page, 'Control+Enter');
    await page.waitForSelector('#result:not([hidden])');
    await press(page, 'ArrowDown');
    assert.equal((await focused(page)).outline, 'solid');
  }));

test('The space key pins and unpins', () =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    await page.focus('#tree [tabindex="0"]');
    await press(page, 'Space');
    assert.equal(await page.textContent('#pin-count'), '1');
    assert.match(
      await page.locator('#tree .row.pinned').first().getAttribute('aria-label'),
      /pinned$/,
    );
    await press(page, 'Space');
    assert.equal(await page.textContent('#pin-count'), '');
  }));

test('The tree is one tab stop, and its items say their place', () =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    assert.equal(await page.locator('#tree [tabindex="0"]').count(), 1);
    const wrong = await page
      .locator('#tree [role=treeitem]')
      .evaluateAll(
        (items) =>
          items.filter(
            (item) =>
              !(
                Number(item.getAttribute('aria-level')) >= 1 &&
                Number(item.getAttribute('aria-posinset')) >= 1 &&
                Number(item.getAttribute('aria-setsize')) >=
                  Number(item.getAttribute('aria-posinset'))
              ),
          ).length,
      );
    assert.equal(wrong, 0);
  }));

test('Arrow keys move between the views', () =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    await page.focus('#tab-words');
    await press(page, 'ArrowRight', 'ArrowRight');
    assert.deepEqual(
      [
        (await focused(page)).id,
        await page.locator('#view-levels').isVisible(),
        await page.locator('#view-words').isVisible(),
      ],
      ['tab-levels', true, false],
    );
  }));

test('Results are announced', () =>
  onPage({}, async (page) => {
    const text = await promisingText();
    const { labels } = await explain(text);
    await classify(page, text);
    const said = await page.textContent('[role=status]');
    assert.match(said, new RegExp(`^${labels.length} labels? predicted`));
    assert.match(said, /Strongest words for/);
  }));

test('Every control has a name', () =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    const nameless = await page
      .locator(
        'button, input, select, textarea, [role=tab], [role=treeitem], [role=tree], [role=tabpanel]',
      )
      .evaluateAll((elements) =>
        elements
          .filter(
            (element) =>
              !element.closest('[aria-hidden=true]') &&
              !(
                element.textContent.trim() ||
                element.getAttribute('aria-label') ||
                element.getAttribute('aria-labelledby') ||
                element.labels?.length
              ),
          )
          .map((element) => element.outerHTML),
      );
    assert.deepEqual(nameless, []);
  }));

test('A label is found by its name', () =>
  onPage({}, async (page) => {
    await classify(page, await promisingText());
    const search = page.locator('#search');
    if (!(await search.isVisible())) return;
    const name = await page.locator('#tree .row .name').last().textContent();
    await search.fill(name);
    assert.ok((await page.locator('#tree .row .name').allTextContents()).includes(name));
    await search.fill('no label is called this');
    assert.equal(await page.locator('#tree .row').count(), 0);
    assert.equal(await page.locator('#no-match').isVisible(), true);
    await search.fill('');
    assert.ok((await page.locator('#tree .row').count()) > 0);
  }));
