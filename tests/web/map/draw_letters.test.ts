import { expect, test } from 'vitest';
import { kDarkTheme } from '../../../web/src/dom/palette.ts';
import { drawLetters } from '../../../web/src/map/draw_letters.ts';
import { layoutFor, pointOf, transformOf } from '../../../web/src/map/map_geometry.ts';
import { fakeCanvas } from './fake_canvas.ts';

const layout = layoutFor({ width: 622, height: 320 });
const view = { layout, transform: transformOf(0x1000, 256), ratio: 1 };

function draw(...letters: { name: string; at: number }[]) {
  const drawn = fakeCanvas(layout.width, layout.height);
  drawLetters(drawn.context, letters, view, kDarkTheme);
  return drawn;
}

test('a letter stands at its address, on the upper edge of its row', () => {
  const { texts, fills } = draw({ name: 'A', at: 0x1004 }, { name: 'B', at: 0x1280 });
  expect(texts.map(({ text }) => text)).toEqual(['A', 'B']);
  for (const [nth, at] of [0x1004, 0x1280].entries()) {
    const { x, y } = pointOf(layout, view.transform, at);
    const text = texts[nth];
    const flag = fills.filter(({ style }) => style === kDarkTheme.css.accent)[nth];
    expect(flag?.x).toBe(Math.round(x));
    expect(flag?.y).toBe(y - 10);
    expect(text?.x).toBeGreaterThan(x);
    expect(text?.y).toBeGreaterThan(y - 10);
    expect(text?.y).toBeLessThan(y + 5);
  }
});

test('a flag at the end of a row stays within the rows, and one out of sight is not drawn', () => {
  const { texts, fills } = draw({ name: 'your click', at: 0x10ff }, { name: 'C', at: 0x9000 }, { name: 'D', at: 0x10 });
  expect(texts.map(({ text }) => text)).toEqual(['your click']);
  for (const { x, width } of fills) expect(x + width).toBeLessThanOrEqual(layout.left + layout.textWidth + 1);
});

test('flags that would cover each other are numbers alone, and all of that word with them', () => {
  const nodes = [0x1000, 0x1018, 0x1030, 0x1300].map((at, nth) => ({ name: `node ${nth + 1}`, at }));
  const { texts, fills } = draw(...nodes, { name: 'hole 1', at: 0x1080 }, { name: 'hole 2', at: 0x10c0 });
  expect(texts.map(({ text }) => text)).toEqual(['1', '2', '3', '4', 'hole 1', 'hole 2']);
  const row = fills.filter(({ style }) => style === kDarkTheme.css.accent).slice(0, 3);
  for (const [nth, { x }] of row.entries())
    if (nth > 0) expect(x).toBeGreaterThanOrEqual((row[nth - 1]?.x ?? 0) + (row[nth - 1]?.width ?? 0));
});

test('a flag covers no label, neither of its own row nor of the row above, at every width', () => {
  const kDigit = 0.37; // of the font's size, above and below the middle of a label
  for (const width of [330, 622, 1200, 1500]) {
    const wide = layoutFor({ width, height: 320 });
    const { context, fills } = fakeCanvas(wide.width, wide.height);
    const ats = [0x1004, 0x1180, 0x1204];
    const on = { ...view, layout: wide };
    const flags = ats.map((at, nth) => ({ name: String(nth), at }));
    drawLetters(context, flags, on, kDarkTheme);
    const edges = fills.filter(({ style }) => style === kDarkTheme.css.bg);
    expect(edges).toHaveLength(ats.length);
    for (const { y, height } of edges)
      for (let row = 0; row < 3; row++) {
        const middle = wide.top + row * wide.pitch + wide.rowHeight / 2 + 0.5; // draw_labels.ts
        const isClear = y + height <= middle - kDigit * wide.text || y >= middle + kDigit * wide.text;
        expect(isClear, `${width} pixels: a flag from ${y} to ${y + height}, a label at ${middle}`).toBe(true);
      }
  }
});
