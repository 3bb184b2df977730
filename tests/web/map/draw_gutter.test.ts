// The addresses of rows have room, whichever font stands in for the page's own.

import { expect, it, test } from 'vitest';
import { kDarkTheme } from '../../../web/src/dom/palette.ts';
import { setGutterFont } from '../../../web/src/map/draw_gutter.ts';
import { layoutFor } from '../../../web/src/map/map_geometry.ts';

/** A font whose letters are so wide, at a size of one pixel. */
const contextOf = (letter: number) => {
  const context = {
    font: '',
    measureText: (text: string) => ({ width: text.length * letter * parseFloat(context.font) }),
  };
  return context;
};

it.each([0.55, 0.6, 0.7, 0.9])('an address lies inside of the gutter in a font whose letters are %f wide', (letter) => {
  for (const width of [320, 800, 1200, 2000]) {
    const context = contextOf(letter);
    const layout = layoutFor({ width, height: 400 });
    setGutterFont(context as unknown as CanvasRenderingContext2D, layout, kDarkTheme);
    expect(context.measureText('0x0000_0000').width).toBeLessThanOrEqual(layout.left - 8);
    expect(parseFloat(context.font)).toBeGreaterThan(6);
  }
});

test('in a narrow font an address is half a pixel larger than the texts of the map', () => {
  const context = contextOf(0.3);
  const layout = layoutFor({ width: 1200, height: 400 });
  setGutterFont(context as unknown as CanvasRenderingContext2D, layout, kDarkTheme);
  expect(parseFloat(context.font)).toBe(layout.text + 0.5);
});
