// What a style sheet must say for all three engines, where one of them understands another word or draws something of its own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const web = fileURLToPath(new URL('../../web/src/', import.meta.url));
const sheets = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
const rules = sheets.flatMap((sheet) =>
  [...readFileSync(join(web, sheet), 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    where: `${sheet}: ${selector.trim()}`,
    body,
  })),
);

test('text that no drag may select says so to WebKit too, which knows the prefixed property only', () => {
  const plain = rules.filter(({ body }) => /(?<!-)user-select: none/.test(body));
  expect(plain.length).toBeGreaterThan(3);
  expect(plain.filter(({ body }) => !body.includes('-webkit-user-select: none')).map(({ where }) => where)).toEqual([]);
});

test('every choice has the same arrow, and none the one of its browser', () => {
  const arrows = rules.filter(({ body }) => body.includes('var(--hg-arrow)'));
  expect(arrows.length).toBe(3);
  expect(arrows.filter(({ body }) => !body.includes('appearance: none')).map(({ where }) => where)).toEqual([]);
});
