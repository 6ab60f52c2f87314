import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const web = new URL('../../web/', import.meta.url);
const read = (name) => readFileSync(new URL(name, web), 'utf8');
const served = readdirSync(web).filter((name) => /\.(html|js|css|svg)$/.test(name));

test('The program carries every file of the page', () => {
  const [, list] = /set\(HMTC_WEB_FILES\n([^)]*)\)/.exec(read('CMakeLists.txt'));
  assert.deepEqual(list.trim().split(/\s+/).sort(), served.sort());
});

test('What a file refers to is there', () => {
  for (const name of served) {
    const references = [...read(name).matchAll(/from '\.\/([^']+)'|(?:href|src)="web\/([^"]+)"/g)];
    for (const [, module, resource] of references)
      assert.ok(served.includes(module ?? resource), `${name}: ${module ?? resource}`);
  }
});

test('Nothing comes from another host', () => {
  for (const name of served) {
    const addresses = read(name).match(/(https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}[^\s"']*/gi) ?? [];
    assert.deepEqual(
      addresses.filter((address) => !address.endsWith('www.w3.org/2000/svg')),
      [],
      name,
    );
  }
});

test('The document has neither scripts nor styles of its own, which the policy forbids', () => {
  assert.doesNotMatch(read('index.html'), /<style|\sstyle=|<script(?![^>]*src=)|\son\w+=/);
});
