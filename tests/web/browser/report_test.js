// The page that `hmtc experiment` writes, made from results that lie in experiments/: HMTC_PROGRAM
// is the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onPage } from './support.js';

const experiments = fileURLToPath(new URL('../../../experiments', import.meta.url));
const kRows = [
  'HMCN-F',
  'HMCN-R',
  'HARNN',
  'HAN',
  'LA-HCN_NC',
  'LA-HCN_L',
  'LA-HCN_G',
  'LA-HCN',
  'Cap.Network',
  'flat',
  'linear',
];
let out;
let url;

// These results are older than the columns of scores before the max constraint.
function fillColumns(folder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const result = JSON.parse(readFileSync(file, 'utf8'));
    Object.assign(result.test, { raw_micro: result.test.micro, raw_violations: 1234 });
    writeFileSync(file, JSON.stringify(result));
  }
}

before(() => {
  out = mkdtempSync(join(tmpdir(), 'hmtc_report_'));
  cpSync(join(experiments, 'results/reuters'), out, { recursive: true });
  fillColumns(join(out, 'results'));
  execFileSync(process.env.HMTC_PROGRAM, [
    'experiment',
    join(experiments, 'reuters.json'),
    '--out',
    out,
  ]);
  url = pathToFileURL(join(out, 'report.html')).href;
});

after(() => rmSync(out, { recursive: true }));

// What cannot be read: texts of a plot that lie over each other or beyond its edge.
const illegible = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const plot of document.querySelectorAll('svg.plot')) {
      const name = plot.getAttribute('aria-label');
      const edge = plot.getBoundingClientRect();
      const texts = [...plot.querySelectorAll('text')]
        .map((text) => ({ said: text.textContent, box: text.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0);
      for (const { said, box } of texts) {
        const { left, right, top, bottom } = box;
        const isInside =
          left > edge.left - 1 &&
          right < edge.right + 1 &&
          top > edge.top - 1 &&
          bottom < edge.bottom + 1;
        if (!isInside) found.push(`${name}: “${said}” goes beyond the edge`);
      }
      texts.forEach((one, i) =>
        texts.slice(i + 1).forEach((other) => {
          const shared = (low, high) =>
            Math.min(one.box[high], other.box[high]) - Math.max(one.box[low], other.box[low]);
          if (shared('left', 'right') > 1 && shared('top', 'bottom') > 3)
            found.push(`${name}: “${one.said}” lies over “${other.said}”`);
        }),
      );
    }
    return found;
  });

for (const colorScheme of ['light', 'dark']) {
  test(`The table has every row, and the plots can be read, ${colorScheme}`, () =>
    onPage({ url, colorScheme }, async (page) => {
      const rows = await page.locator('table').first().locator('tbody tr').allTextContents();
      assert.equal(rows.length, kRows.length);
      rows.forEach((text, i) => assert.ok(text.trim().startsWith(kRows[i]), text));
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll('.scroll')]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => box.textContent.trim().slice(0, 60)),
      );
      assert.deepEqual(hidden, [], 'no column is hidden at this width');
      assert.equal(await page.locator('svg.plot').count(), 5);
      assert.deepEqual(await illegible(page), []);
    }));
}

test('On a phone nothing makes the page wider than the screen', () =>
  onPage({ url, viewport: { width: 390, height: 800 } }, async (page) => {
    const { scroll, width } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      width: document.documentElement.clientWidth,
    }));
    assert.equal(scroll, width);
    assert.deepEqual(await illegible(page), []);
  }));
