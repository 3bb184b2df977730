// The tokens of web/src/base/tokens.css: their colours are the glass's, and every token that a sheet uses is one of them.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kHtmlStyle } from '../../../web/src/document/html_style.ts';
import { cssVariables } from '../../../web/src/dom/palette.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const sheet = read('web/src/base/tokens.css');
const tokens = new Map(
  [...sheet.matchAll(/(--hg-[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
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

test.each([
  ['a report', kHtmlStyle],
  ['the site', read('site/theme/site.css')],
])('%s uses no token that does not exist, and no size of type of its own', (_, css) => {
  const own = new Set([...css.matchAll(/(--hg-[\w-]+):/g)].map(([, name]) => name));
  const used = [...css.matchAll(/var\((--hg-[\w-]+)/g)].map(([, name = '']) => name);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !tokens.has(name) && !own.has(name))).toEqual([]);
  expect(css.match(/font(?:-size)?:[^;]*(?<![/\d.])\d[\d.]*px/g) ?? []).toEqual([]);
});
