// What the page holds is said by attributes of its root (markPage). A selector that looks for it itself, by `:has()`, is answered again
// whenever a text comes or goes anywhere in the page, and what it decides is laid out again: 5 ms of each frame of a drag through time.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Its subject is the whole page or all of its areas: `.hg-page:has(`, `.hg-areas:not(:has(` and the like. */
const kAsksAll =
  /\.hg-(?:page|areas|map-area__map)(?![\w-])(?:[.[:](?!has\()[\w-]+(?:\([^()]*\)|\])?)*(?::not\()?:has\(/;

it('no rule asks the page as a whole what it holds', () => {
  const files = readdirSync('web/src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => kAsksAll.test(readFileSync(join('web/src', file), 'utf8')))).toEqual([]);
});

it.each([
  '.hg-page:has(.hg-lives) {',
  '.hg-page[data-tab] .hg-areas:has(.hg-answer) {',
  '.hg-areas:not(:has(.hg-answer)) > .hg-map-area {',
  '.hg-page.hg-page--wide:has(.hg-scene) {',
])('%s would be such a rule', (rule) => expect(kAsksAll.test(rule)).toBe(true));
