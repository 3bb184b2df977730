// The tokens of web/src/base/tokens.css: their colours are the glass's, every token that a sheet uses is one of them, and sizes of
// type and space come from them.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kHtmlStyle } from '../../../web/src/document/html_style.ts';
import { cssVariables } from '../../../web/src/dom/palette.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const sheet = read('web/src/base/tokens.css');
const tokens = new Map(
  [...sheet.matchAll(/(--hg-[\w-]+):\s+([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
);

/** A theme's custom properties as the glass gets them. */
const ofGlass = (theme: 'light' | 'dark') =>
  new Map(
    [...cssVariables(theme).matchAll(/(--hg-[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );

const colours = [...tokens].flatMap(([name, value]) => {
  const [, light, dark] = /^light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)$/.exec(value) ?? [];
  return light === undefined || dark === undefined ? [] : [{ name, light, dark }];
});

test.each(['light', 'dark'] as const)(
  'a colour is the one that the glass has under the same name, when %s',
  (theme) => {
    const glass = ofGlass(theme);
    expect(colours.length).toBeGreaterThanOrEqual(15);
    expect(colours.filter((colour) => glass.get(colour.name) !== colour[theme])).toEqual([]);
  },
);

test('the fonts are those of the glass', () => {
  for (const name of ['--hg-font', '--hg-mono']) expect(tokens.get(name)).toBe(ofGlass('light').get(name));
});

test('there are five sizes of type and six of space, each larger than the one before', () => {
  for (const [family, count] of [
    ['text', 5],
    ['space', 6],
  ] as const) {
    const sizes = Array.from({ length: count }, (_, at) =>
      Number.parseInt(tokens.get(`--hg-${family}-${at + 1}`) ?? '', 10),
    );
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
    expect(tokens.has(`--hg-${family}-${count + 1}`)).toBe(false);
  }
});

test('a report brings the tokens with it, without their comments', () => {
  expect(kHtmlStyle).toContain(`--hg-text-1: ${tokens.get('--hg-text-1')};`);
  expect(kHtmlStyle).not.toContain('/*');
});

const sheetsOfGlass = readdirSync(fileURLToPath(new URL('../../../web/src', import.meta.url)), { recursive: true })
  .map((path) => `web/src/${path}`)
  .filter((path) => path.endsWith('.css') && path !== 'web/src/base/tokens.css');
const glassSheets = sheetsOfGlass.map(read).join('\n');

/** Written by scripts, for one element each: where the page lies in a guest's window, and the dock's height. */
const kMeasured = ['--hg-page-left', '--hg-page-top', '--hg-page-right', '--hg-dock-height'];

test.each([
  ['a report', kHtmlStyle],
  ['the site', read('site/theme/site.css')],
  ['the glass', glassSheets],
])('%s uses no token that does not exist, and no size of type of its own', (_, css) => {
  const own = new Set([...css.matchAll(/(--hg-[\w-]+):/g)].map(([, name]) => name));
  const known = new Set([...tokens.keys(), ...ofGlass('light').keys(), ...own, ...kMeasured]);
  const used = [...css.matchAll(/var\((--hg-[\w-]+)/g)].map(([, name = '']) => name);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(css.match(/font(?:-size)?:[^;]*(?<!\/ ?)(?<![\d.])\d[\d.]*px/g) ?? []).toEqual([]);
});

test("the glass's space and corners are tokens, but for lines of 1 to 3 pixels and what is more than the largest", () => {
  const largest = Number.parseInt(tokens.get('--hg-space-6') ?? '', 10);
  const own = (property: string, from: number) =>
    [...glassSheets.matchAll(new RegExp(`(?<![\\w-])(?:${property})(?:-[a-z]+)*: [^;]*;`, 'g'))].flatMap(
      ([declaration]) =>
        [...declaration.matchAll(/(?<![\w.])(\d+)px/g)]
          .map(([, pixels]) => Number(pixels))
          .filter((pixels) => pixels >= from && pixels <= largest)
          .map((pixels) => `${pixels}: ${declaration}`),
    );
  expect(own('padding|margin|gap|row-gap|column-gap', 3)).toEqual([]);
  expect(own('border-radius', 4)).toEqual([]);
});
