import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { byteTicks, cut, frameHue, shortCount } from '../../../web/src/base/charts.ts';
import { kHtmlStyle } from '../../../web/src/document/html_style.ts';

test.each([
  [2_559_999, 4],
  [65_536, 5],
  [100, 3],
  [3 * 2 ** 30, 4],
])('%d bytes in room for %d labels: from 0, equal steps of a power of two, not more than fit', (most, space) => {
  const ticks = byteTicks(most, space);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  expect(ticks[0]).toBe(0);
  expect(Math.log2(step) % 1).toBe(0);
  expect(ticks.length).toBeLessThanOrEqual(space + 1);
  expect(ticks.at(-1)).toBeLessThanOrEqual(most);
  expect((ticks.at(-1) ?? 0) + step).toBeGreaterThan(most);
});

test.each([
  [0, '0'],
  [9999, '9,999'],
  [10_000, '10k'],
  [250_000, '250k'],
  [1_500_000, '1.5M'],
  [0.5, ''], // no event is between two
])('event %d stands as %s on an axis', (event, label) => expect(shortCount(event)).toBe(label));

test('an empty heap has no scale', () => {
  expect(byteTicks(1, 4)).toEqual([]);
});

test('a label is cut behind a whole word, and left out where none fits', () => {
  const label = 'Small blocks lie side by side in slabs';
  expect(cut(label, 1000)).toBe(label);
  for (let space = 0; space < 240; space += 5) {
    const shown = cut(label, space);
    if (shown === label || shown === '') continue;
    expect(label.startsWith(`${shown.slice(0, -1)} `), shown).toBe(true);
    expect(shown.length * 6.2).toBeLessThanOrEqual(space);
  }
  expect([cut(label, 30), cut(label, 40), cut(label, 60)]).toEqual(['', 'Small…', 'Small…']);
  expect(cut('Vacuum: the tables', 60)).toBe('Vacuum…');
  expect(cut('load_level_geometry', 80)).toBe('load_level_…');
});

test('a function has one of the six colours of frames, wherever it is drawn', () => {
  const sheet = readFileSync(new URL('../../../web/src/base/tokens.css', import.meta.url), 'utf8');
  const hues = Array.from({ length: 200 }, (_, i) => frameHue(`function_${i}`));
  expect([...new Set(hues)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  for (const hue of new Set(hues)) {
    expect(sheet).toContain(`--hg-frame-${hue}: `);
    expect(kHtmlStyle).toContain(`var(--hg-frame-${hue})`);
  }
  expect(kHtmlStyle).not.toMatch(/hsl\(/);
});
