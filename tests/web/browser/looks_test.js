import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, kTexts, onPage, promisingText } from './support.js';

const kViews = ['words', 'compare', 'levels', 'components'];

async function pinTwo(page) {
  await page.focus('#tree [tabindex="0"]');
  for (const key of ['Home', 'Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
}

async function show(page, view) {
  await page.click(`#tab-${view}`);
  if (view === 'components')
    await page.waitForFunction(
      () =>
        document.querySelector('#view-components .component') ||
        /no components/.test(document.body.textContent),
    );
}

const overflow = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    return {
      scroll: document.documentElement.scrollWidth - width,
      wide: [...document.querySelectorAll('main *, header *')]
        .filter(
          (element) =>
            !element.closest('.visually-hidden') &&
            element.getBoundingClientRect().right > width + 1,
        )
        .map((element) => element.outerHTML.slice(0, 80)),
    };
  });

for (const width of [360, 768]) {
  test(`At ${width} px nothing is wider than the screen`, () =>
    onPage({ viewport: { width, height: 740 } }, async (page) => {
      const unbroken = `https://example.org/${'averylongpath'.repeat(20)}`;
      await page.waitForFunction(() => document.getElementById('model-facts').textContent !== '');
      assert.deepEqual(await overflow(page), { scroll: 0, wide: [] });
      await classify(page, `${await promisingText()} ${unbroken}`);
      await pinTwo(page);
      for (const view of kViews) {
        await show(page, view);
        assert.deepEqual(await overflow(page), { scroll: 0, wide: [] }, view);
      }
    }));
}

test('On a phone a tap on a label leads to its words, and back', () =>
  onPage({ viewport: { width: 360, height: 640 }, hasTouch: true }, async (page) => {
    await classify(page, await promisingText());
    await page.locator('#tree .row .name').first().tap();
    await page.waitForFunction(
      () => document.getElementById('panel').getBoundingClientRect().top < 60,
    );
    await page.locator('#to-labels').tap();
    await page.waitForFunction(
      () => document.getElementById('labels').getBoundingClientRect().top >= 0,
    );
  }));

test('Dark and light follow the system', async () => {
  const grounds = [];
  for (const colorScheme of ['light', 'dark']) {
    await onPage({ colorScheme }, async (page) => {
      grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    });
  }
  const lightness = grounds.map(
    (colour) =>
      colour
        .match(/\d+/g)
        .slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0) / 3,
  );
  assert.ok(lightness[0] > 230 && lightness[1] < 40, grounds.join(' '));
});

// Elements whose text has a contrast below 4.5 (3 for large letters) with what lies under it.
function lowContrast() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour.slice(0, 3) : over(colour, ground(element.parentElement));
  };
  const luminance = (rgb) =>
    rgb
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim(),
    );
    if (
      !hasText ||
      !element.checkVisibility() ||
      element.closest('.visually-hidden, .skip, :disabled')
    )
      continue;
    const style = getComputedStyle(element);
    const under = ground(element);
    const [a, b] = [luminance(over(rgba(style.color), under)), luminance(under)].sort(
      (x, y) => y - x,
    );
    const needed = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < needed)
      low.push(`${ratio.toFixed(2)} ${element.className} “${element.textContent.slice(0, 30)}”`);
  }
  return low;
}

for (const colorScheme of ['light', 'dark']) {
  test(`All text can be read, ${colorScheme}`, () =>
    onPage({ colorScheme }, async (page) => {
      assert.deepEqual(await page.evaluate(lowContrast), []);
      await classify(page, await promisingText());
      await pinTwo(page);
      for (const view of kViews) {
        await show(page, view);
        assert.deepEqual(await page.evaluate(lowContrast), [], view);
      }
    }));

  test(`Words can be read over every shade, ${colorScheme}`, () =>
    onPage({ colorScheme }, async (page) => {
      await classify(page, kTexts.ascii);
      await page.evaluate(() =>
        [...document.querySelectorAll('#view-words .w')].forEach((span, word) => {
          span.style.setProperty('--shade', String((word % 9) / 8));
          span.classList.toggle('against', word >= 9);
        }),
      );
      assert.ok((await page.locator('#view-words .w').count()) >= 16);
      assert.deepEqual(await page.evaluate(lowContrast), []);
    }));
}

test('Who wants no motion gets none', () =>
  onPage({ reducedMotion: 'reduce' }, async (page) => {
    await classify(page, await promisingText());
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  }));

test('The tree unfolds for the others', () =>
  onPage({ reducedMotion: 'no-preference' }, async (page) => {
    await classify(page, await promisingText());
    assert.equal(await page.locator('#tree.unfolding').count(), 1);
  }));
