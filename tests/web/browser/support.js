// A real browser before a server: the one that the command HMTC_SERVE starts, or that listens at
// HMTC_URL, else the mock. HMTC_CHROMIUM is the browser, HMTC_NODE_PACKAGES where npm put
// playwright-core.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { startMock } from '../mock_server.js';

const packages = process.env.HMTC_NODE_PACKAGES ?? new URL('..', import.meta.url).pathname;
const { chromium } = createRequire(join(packages, 'package.json'))('playwright-core');

let server;
let browser;

before(async () => {
  server = await startServer();
  browser = await chromium.launch({
    executablePath: process.env.HMTC_CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid() === 0 ? ['--no-sandbox'] : [], // Chromium's sandbox refuses to run as root
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function startServer() {
  if (process.env.HMTC_SERVE) return startCommand(process.env.HMTC_SERVE);
  return process.env.HMTC_URL ? { url: process.env.HMTC_URL, stop() {} } : startMock();
}

// The command says on its first line where it listens, as `hmtc serve` does.
async function startCommand(command) {
  const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => (child.kill(), ended);
  const { value: line = '' } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const url = /http:\S+/.exec(line)?.[0];
  for (let tries = 0; url && tries < 300; ++tries) {
    if (
      await fetch(`${url}/health/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`HMTC_SERVE: expected a server that is ready after 30 s, found “${line}”`);
}

export const serverUrl = () => server.url;

// Runs `steps(page)` on the page (or on what lies at `url`), freshly opened; fails when anything was said on the console,
// thrown, or asked of another host. `expectErrors`: the steps make requests fail, which Chromium
// itself tells on the console.
export async function onPage(options, steps) {
  const { fragment = '', expectErrors = false, url = `${server.url}/`, ...context } = options;
  const opened = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...context,
  });
  const complaints = [];
  try {
    const page = await opened.newPage();
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.stack));
    page.on('request', (request) => {
      if (!request.url().startsWith(url))
        complaints.push(`foreign request: ${request.url()}`);
    });
    await page.goto(url + fragment);
    await steps(page);
  } finally {
    await opened.close();
  }
  const told = complaints.filter(
    (complaint) => !(expectErrors && complaint.includes('Failed to load resource')),
  );
  assert.deepEqual(told, []);
}

export async function ask(path, body) {
  const answer = await fetch(
    `${server.url}${path}`,
    body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    },
  );
  assert.ok(answer.ok, `${path}: ${answer.status} ${answer.ok ? '' : await answer.text()}`);
  return answer.json();
}

export const explain = (text, more = {}) => ask('/v1/explain', { text, ...more });

// A text for which this server's model predicts several labels: one of its own examples.
export async function promisingText() {
  const { examples } = await ask('/v1/examples');
  for (const { text } of examples) {
    if ((await explain(text)).labels.length > 1) return text;
  }
  throw new Error(
    'no example gets two labels: start the server with --examples that its model knows',
  );
}

export const kTexts = {
  ascii:
    'Yoga is more than a stretch: how each pose trains the body, and what the Buddha said.\nA guide.',
  umlauts: 'Brot aus der Küche: Größe, Übung und Öfen in Köln – „schöner“ Sauerteig in der Straße.',
  emoji: 'Bread 🍞 and 👩‍🍳 bake 🇩🇪 love 👍🏽 yoga, a “novel” with 🧘 pose.',
  cjk: '望遠鏡で見る宇宙 — 星と旅の本。はじめての人のための天文学入門。',
  combining: 'Cafe\u0301 yoga: nai\u0308ve Zu\u0308rich, A\u030angstro\u0308m; stretch.',
  arabic: 'يوغا yoga والجسم body نص عربي مع stretch.',
  astral: '𝒴oga 𝔟𝔬𝔡𝔶 𐍈 yoga pose 𠀋 body.',
};

export async function classify(page, text) {
  await page.fill('#text', text);
  await page.click('#classify');
  await page.waitForSelector('#result:not([hidden])');
}

export const row = (page, label) =>
  page.locator(`#tree .row[data-label=${JSON.stringify(label)}]`).first();

// The words on the page: [{text, at, shade}], `at` counted in the string that all nodes make.
export function wordsIn(locator) {
  return locator.evaluate((heat) => {
    let at = 0;
    return [...heat.childNodes].flatMap((node) => {
      const begin = at;
      at += node.textContent.length;
      if (node.nodeType !== Node.ELEMENT_NODE) return [];
      const shade = Number(node.style.getPropertyValue('--shade'));
      return [
        {
          text: node.textContent,
          at: begin,
          shade: node.classList.contains('against') ? -shade : shade,
        },
      ];
    });
  });
}

// The same from an answer of the server, by way of the bytes.
export function wordsExpected(answer, weights) {
  const bytes = Buffer.from(answer.text);
  const max = Math.max(...weights.map(Math.abs));
  return answer.words.map(([begin, end], word) => ({
    text: bytes.subarray(begin, end).toString(),
    at: bytes.subarray(0, begin).toString().length,
    shade: max > 0 ? weights[word] / max : 0,
  }));
}

export function assertSameWords(found, expected) {
  assert.deepEqual(
    found.map(({ text, at }) => [text, at]),
    expected.map(({ text, at }) => [text, at]),
  );
  found.forEach(({ text, shade }, word) =>
    assert.ok(
      Math.abs(shade - expected[word].shade) < 0.002,
      `“${text}” has shade ${shade}, expected ${expected[word].shade}`,
    ),
  );
}

export const selectedLabel = (page) =>
  page.locator('#tree [aria-selected=true]').first().getAttribute('data-label');
