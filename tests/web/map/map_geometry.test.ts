import { describe, expect, it } from 'vitest';
import {
  addressAt,
  between,
  clamp,
  eachRowPart,
  fitRange,
  kMaxBytesPerRow,
  kMinBytesPerRow,
  layoutFor,
  type MapLayout,
  type MapTransform,
  onText,
  panBy,
  placeFor,
  pointOf,
  rest,
  restingBytesPerRow,
  rowStart,
  rowTop,
  scrollTo,
  transformOf,
  viewportOf,
  visibleRows,
  wholeRows,
  zoomAbout,
} from '../../../web/src/map/map_geometry.ts';
import { seeded } from './map_frames.ts';

const wide = layoutFor({ width: 1000, height: 640 });
const narrow = layoutFor({ width: 390, height: 340 });
const layouts: readonly MapLayout[] = [
  wide,
  narrow,
  layoutFor({ width: 600, height: 60 }),
  layoutFor({ width: 2400, height: 1400 }),
];

const inText = (layout: MapLayout, column: number): number => layout.left + column * layout.textWidth;

/** Many layouts, zooms, places and points; the same each time. */
function* cases(count: number): Generator<{ layout: MapLayout; transform: MapTransform; x: number; y: number }> {
  const random = seeded(7);
  for (let index = 0; index < count; index++) {
    const layout = layouts[index % layouts.length] ?? wide;
    const bytesPerRow = 2 ** (4 + random() * 28);
    yield {
      layout,
      transform: {
        origin: Math.floor((random() * 2 ** 32) / 4) * 4,
        bytesPerRow,
        shift: random() < 0.5 ? 0 : random(),
      },
      x: inText(layout, random() * 0.999),
      y: random() * layout.height,
    };
  }
}

/** Pixels between where an address was and is: along the rows, all of them laid end to end. */
function distance(layout: MapLayout, transform: MapTransform, one: number, other: number): number {
  return (Math.abs(one - other) / transform.bytesPerRow) * layout.textWidth;
}

describe('addresses and points', () => {
  it('an address is where its point is', () => {
    for (const { layout, transform, x, y } of cases(400)) {
      const address = addressAt(layout, transform, x, y);
      const point = pointOf(layout, transform, address);
      expect(Math.abs(point.x - x)).toBeLessThan(1e-3);
      const inRow = y - point.y;
      expect(inRow).toBeGreaterThan(-1e-6);
      expect(inRow).toBeLessThan(layout.pitch + 1e-6);
    }
  });

  it('row r begins at origin + r * bytesPerRow', () => {
    const transform = transformOf(0x3e000, 4096);
    expect(rowStart(wide, transform, 0)).toBe(0x3e000);
    expect(addressAt(wide, transform, wide.left, rowTop(wide, transform, 3) + 1)).toBe(0x41000);
    expect(addressAt(wide, transform, inText(wide, 0.5), rowTop(wide, transform, 0) + 1)).toBe(0x3e800);
  });

  it('the gutter and the gaps between rows are not text', () => {
    const transform = transformOf(0, 4096);
    const top = rowTop(wide, transform, 2);
    expect(onText(wide, transform, wide.left + 1, top + 1)).toBe(true);
    expect(onText(wide, transform, wide.left - 1, top + 1)).toBe(false);
    expect(onText(wide, transform, wide.left + wide.textWidth, top + 1)).toBe(false);
    expect(onText(wide, transform, wide.left + 1, top + wide.rowHeight + 1)).toBe(false);
    // A row has its first pixel, and not the first one behind it.
    expect(onText(wide, transform, wide.left, top)).toBe(true);
    expect(onText(wide, transform, wide.left, top + wide.rowHeight)).toBe(false);
  });

  it('every row of which something shows is among the visible ones', () => {
    for (const { layout, transform } of cases(200)) {
      for (const height of [layout.height, layout.top + 3 * layout.pitch]) {
        const cut = { ...layout, height };
        const last = pointOf(cut, transform, addressAt(cut, transform, cut.left, height - 0.5)).row;
        expect(last).toBeLessThan(visibleRows(cut));
        expect(last).toBeGreaterThanOrEqual(visibleRows(cut) - 3);
      }
    }
  });

  it('a transform has other rows where other runs are folded', () => {
    const transform = transformOf(0, 4096);
    const run = { count: 1, address: Uint32Array.of(4096), size: Uint32Array.of(100 * 4096), kind: Uint8Array.of(0) };
    const folded = { ...wide, empty: run as MapLayout['empty'] };
    const plain = rowStart(wide, transform, 3);
    expect(rowStart(folded, transform, 3)).toBeGreaterThan(plain);
    expect(rowStart(wide, transform, 3)).toBe(plain);
  });

  it('a point in the gutter or behind a row belongs to that row', () => {
    const transform = transformOf(0, 4096);
    const y = rowTop(wide, transform, 2) + 1;
    expect(addressAt(wide, transform, 0, y)).toBe(2 * 4096);
    expect(addressAt(wide, transform, wide.width, y)).toBe(3 * 4096);
  });
});

describe('parts of a range on wrapped rows', () => {
  const parts = (transform: MapTransform, from: number, to: number) => {
    const found: { row: number; from: number; to: number }[] = [];
    eachRowPart(wide, transform, from, to, (x, y, width, row) => {
      expect(y).toBeCloseTo(rowTop(wide, transform, row), 9);
      found.push({ row, from: (x - wide.left) / wide.textWidth, to: (x - wide.left + width) / wide.textWidth });
    });
    return found;
  };

  it('a range within a row is one part', () => {
    expect(parts(transformOf(0x1000, 0x100), 0x1140, 0x1180)).toEqual([{ row: 1, from: 0.25, to: 0.5 }]);
  });

  it('a range that wraps goes on in the next row', () => {
    const found = parts(transformOf(0x1000, 0x100), 0x10c0, 0x1340);
    expect(found.map((part) => part.row)).toEqual([0, 1, 2, 3]);
    expect(found.map((part) => [part.from, part.to])).toEqual([
      [0.75, 1],
      [0, 1],
      [0, 1],
      [0, 0.25],
    ]);
  });

  it('a range that ends at a row end does not touch the next row', () => {
    expect(parts(transformOf(0x1000, 0x100), 0x1000, 0x1100)).toEqual([{ row: 0, from: 0, to: 1 }]);
  });

  it('only visible rows are visited, however long the range', () => {
    const transform = transformOf(2 ** 31, 16);
    const found = parts(transform, 0, 2 ** 32);
    expect(found.length).toBe(visibleRows(wide));
    expect(found[0]).toEqual({ row: 0, from: 0, to: 1 });
  });

  it('ranges above and below the view have no parts', () => {
    const transform = transformOf(0x10000, 0x100);
    expect(parts(transform, 0, 0x10000)).toEqual([]);
    expect(parts(transform, 0x10000 + visibleRows(wide) * 0x100, 2 ** 32)).toEqual([]);
  });

  it('the parts of any range add up to what of it is in view', () => {
    const random = seeded(11);
    for (const { layout, transform } of cases(200)) {
      const span = visibleRows(layout) * transform.bytesPerRow;
      const from = transform.origin + (random() * 1.4 - 0.2) * span;
      const to = from + random() ** 4 * span;
      let total = 0;
      eachRowPart(layout, transform, from, to, (_x, _y, width) => {
        total += (width / layout.textWidth) * transform.bytesPerRow;
      });
      const seen = Math.min(to, transform.origin + span) - Math.max(from, transform.origin);
      expect(Math.abs(total - Math.max(seen, 0))).toBeLessThan(span * 1e-9 + 1e-3);
    }
  });
});

describe('zooming', () => {
  it('keeps the address under the pointer in place', () => {
    for (const { layout, transform, x, y } of cases(400)) {
      const before = addressAt(layout, transform, x, y);
      for (const factor of [0.25, 0.9, 1.07, 2, 16]) {
        const zoomed = zoomAbout(layout, transform, x, y, transform.bytesPerRow * factor);
        const after = addressAt(layout, zoomed, x, y);
        expect(distance(layout, zoomed, before, after)).toBeLessThan(0.05);
      }
    }
  });

  it('in a hundred small steps leads to the same place as in one', () => {
    const start: MapTransform = { origin: 0x123456, bytesPerRow: 65536, shift: 0.4 };
    const [x, y] = [inText(wide, 0.37), 211];
    let stepped = start;
    for (let step = 0; step < 100; step++) stepped = zoomAbout(wide, stepped, x, y, stepped.bytesPerRow * 0.95);
    const jumped = zoomAbout(wide, start, x, y, start.bytesPerRow * 0.95 ** 100);
    expect(stepped.bytesPerRow).toBeCloseTo(jumped.bytesPerRow, 6);
    expect(stepped.origin).toBeCloseTo(jumped.origin, 4);
  });

  it('out and in again comes back', () => {
    for (const { layout, transform, x, y } of cases(100)) {
      if (transform.bytesPerRow > 2 ** 30) continue; // no room outwards
      const away = zoomAbout(layout, transform, x, y, transform.bytesPerRow * 4);
      const back = zoomAbout(layout, away, x, y, transform.bytesPerRow);
      expect(distance(layout, transform, back.origin, transform.origin)).toBeLessThan(0.05);
    }
  });

  it('stays between 16 bytes and 4 GiB a row', () => {
    const transform = transformOf(0, 1024);
    expect(zoomAbout(wide, transform, 300, 300, 1).bytesPerRow).toBe(kMinBytesPerRow);
    expect(zoomAbout(wide, transform, 300, 300, 2 ** 40).bytesPerRow).toBe(kMaxBytesPerRow);
  });

  it('changes nothing of the transform it was given', () => {
    const transform = Object.freeze({ origin: 4096, bytesPerRow: 1024, shift: 0.25 });
    zoomAbout(wide, transform, 300, 300, 512);
    panBy(wide, transform, 5, 5);
    clamp(wide, transform, 1);
    expect(transform).toEqual({ origin: 4096, bytesPerRow: 1024, shift: 0.25 });
  });
});

describe('resting', () => {
  it('a wheel that moved at all goes on to the next power of two in its direction', () => {
    expect(restingBytesPerRow(4096 * 1.2, 1)).toBe(8192);
    expect(restingBytesPerRow(4096 * 0.8, -1)).toBe(2048);
    expect(restingBytesPerRow(4096 * 1.2, 0)).toBe(4096);
    expect(restingBytesPerRow(4096 * 1.001, 1)).toBe(4096);
    expect(restingBytesPerRow(2, -1)).toBe(kMinBytesPerRow);
  });

  it('is a power of two, rows begin at multiples of it, and what was under the pointer stays in its row', () => {
    for (const { layout, transform, x, y } of cases(200)) {
      const before = addressAt(layout, transform, x, y);
      const resting = rest(layout, transform, x, y, -1);
      expect(Math.log2(resting.bytesPerRow) % 1).toBe(0);
      expect(Math.abs(resting.origin % resting.bytesPerRow)).toBe(0);
      const row = Math.floor((y - layout.top) / layout.pitch + resting.shift);
      expect(Math.floor((before - resting.origin) / resting.bytesPerRow)).toBe(row);
    }
  });
});

describe('panning', () => {
  it('keeps the address under the hand, down the rows and along them', () => {
    const random = seeded(5);
    for (const { layout, transform, x, y } of cases(300)) {
      const dy = (random() - 0.5) * 500;
      const dx = (random() - 0.5) * 100;
      const before = addressAt(layout, transform, x, y);
      const panned = panBy(layout, transform, dx, dy);
      // Laid end to end: dx pixels along, or a row less and a row's width more when the hand leaves the text.
      const target = pointOf(layout, panned, before);
      const rows = Math.round((target.x - (x + dx)) / layout.textWidth);
      expect(Math.abs(target.x - (x + dx) - rows * layout.textWidth)).toBeLessThan(0.01);
      expect(Math.abs(rows)).toBeLessThanOrEqual(1);
      expect(panned.shift).toBeGreaterThanOrEqual(0);
      expect(panned.shift).toBeLessThan(1);
    }
  });

  it('by the pitch is by a row', () => {
    const panned = panBy(wide, transformOf(0x10000, 0x1000), 0, -wide.pitch);
    expect(panned).toEqual({ origin: 0x11000, bytesPerRow: 0x1000, shift: 0 });
  });

  it('by half a row up shows half of the first row', () => {
    const panned = panBy(wide, transformOf(0x10000, 0x1000), 0, -wide.pitch / 2);
    expect(panned).toEqual({ origin: 0x10000, bytesPerRow: 0x1000, shift: 0.5 });
    expect(rowTop(wide, panned, 0)).toBe(wide.top - wide.pitch / 2);
  });
});

describe('bounds', () => {
  it('memory never leaves the view', () => {
    const memory = 3 * 65536;
    for (const { layout, transform } of cases(200)) {
      const kept = clamp(layout, { ...transform, origin: transform.origin - 2 ** 31 }, memory);
      const end = kept.origin + (visibleRows(layout) - kept.shift) * kept.bytesPerRow;
      expect(kept.origin).toBeLessThan(memory);
      expect(end).toBeGreaterThan(0);
    }
  });

  it('above memory there are empty rows to half of the view, and not more', () => {
    const above = clamp(wide, transformOf(0, 4096), 2 ** 20).origin;
    expect(above).toBe(0);
    const far = clamp(wide, { origin: -(2 ** 30), bytesPerRow: 4096, shift: 0.5 }, 2 ** 20);
    expect(far).toEqual({ origin: -Math.floor(wholeRows(wide) / 2) * 4096, bytesPerRow: 4096, shift: 0 });
  });

  it('a transform within them is returned as it is', () => {
    const transform = transformOf(0x20000, 4096);
    expect(clamp(wide, transform, 2 ** 20)).toBe(transform);
  });
});

describe('showing a range', () => {
  it('fits it into the whole rows at the closest power of two', () => {
    for (const [from, to] of [
      [0x3e000, 0x80000],
      [0x11_0f00, 0x11_1000],
      [0, 2 ** 32],
      [1024, 1030],
      [65535, 65537],
    ] as const) {
      for (const layout of layouts) {
        const { origin, bytesPerRow } = fitRange(layout, from, to);
        expect(origin).toBeLessThanOrEqual(from);
        expect(origin % bytesPerRow).toBe(0);
        expect(origin + wholeRows(layout) * bytesPerRow).toBeGreaterThanOrEqual(to);
        if (bytesPerRow > kMinBytesPerRow) {
          const half = bytesPerRow / 2;
          const rows = Math.ceil(to / half) - Math.floor(from / half);
          expect(rows).toBeGreaterThan(wholeRows(layout));
        }
      }
    }
  });

  it('goes no more than eight times farther away than was asked for', () => {
    for (const bytesPerRow of [16, 256, 4096]) {
      expect(placeFor(wide, 8, 2 ** 32 - 1, bytesPerRow)).toEqual({ origin: 0, bytesPerRow: bytesPerRow * 8 });
      expect(placeFor(wide, 5 * bytesPerRow + 1, 5 * bytesPerRow + 9, bytesPerRow)).toEqual({
        origin: 5 * bytesPerRow,
        bytesPerRow,
      });
    }
  });

  it('scrolls not at all when it is in view', () => {
    const transform = transformOf(0x10000, 0x1000);
    expect(scrollTo(wide, transform, 0x12000, 0x13000)).toBe(transform);
    const end = rowStart(wide, transform, wholeRows(wide));
    expect(scrollTo(wide, transform, end - 0x1000, end)).toBe(transform); // to the last row's end
    expect(scrollTo(wide, transform, end - 0x1000, end + 16)).not.toBe(transform);
  });

  it('scrolls by whole rows until the range is in view', () => {
    const transform = transformOf(0x10000, 0x1000);
    for (const address of [0x1_0000 - 0x100, 0x1_0000 + 0x40_000, 0x2000]) {
      const scrolled = scrollTo(wide, transform, address, address + 16);
      const row = pointOf(wide, scrolled, address).row;
      expect(row).toBeGreaterThanOrEqual(0);
      expect(row).toBeLessThan(wholeRows(wide));
      expect(Math.abs((scrolled.origin - transform.origin) % 0x1000)).toBe(0);
    }
  });

  it('shows the start of a range longer than the view', () => {
    const scrolled = scrollTo(wide, transformOf(0x10000, 0x100), 0x40000, 0x90000);
    expect(pointOf(wide, scrolled, 0x40000).row).toBeGreaterThanOrEqual(0);
    expect(pointOf(wide, scrolled, 0x40000).row).toBeLessThan(wholeRows(wide));
  });
});

describe('travelling', () => {
  it('begins and ends exactly', () => {
    const from = transformOf(0x1000, 64);
    const to = transformOf(0x80000, 65536);
    expect(between(wide, from, to, 0)).toBe(from);
    expect(between(wide, from, to, 1)).toBe(to);
  });

  it('a zoom about a point keeps the point all the way', () => {
    for (const { layout, transform, x, y } of cases(100)) {
      const target = zoomAbout(layout, transform, x, y, transform.bytesPerRow * 0.3);
      const fixed = addressAt(layout, transform, x, y);
      for (const share of [0.1, 0.5, 0.9]) {
        const now = between(wide, transform, target, share);
        expect(distance(layout, now, addressAt(layout, now, x, y), fixed)).toBeLessThan(0.1);
      }
    }
  });

  it('changes the zoom by equal factors and never turns back', () => {
    const from = transformOf(0, 65536);
    const to = transformOf(0x8000, 256);
    const zooms = [0.25, 0.5, 0.75].map((share) => between(wide, from, to, share).bytesPerRow);
    expect(zooms[0]).toBeCloseTo(16384, 6);
    expect(zooms[1]).toBeCloseTo(4096, 6);
    expect(zooms[2]).toBeCloseTo(1024, 6);
  });
});

describe('the frame that is asked for', () => {
  it('covers every visible row in whole numbers the engine can take', () => {
    for (const { layout, transform } of cases(300)) {
      const { origin, bytesPerRow, rows, columns } = viewportOf(layout, transform);
      expect(origin % 4).toBe(0);
      expect(origin).toBeGreaterThanOrEqual(0);
      expect(bytesPerRow % 16).toBe(0);
      expect(bytesPerRow).toBeLessThanOrEqual(2 ** 32);
      expect(Number.isInteger(rows) && Number.isInteger(columns)).toBe(true);
      expect(origin).toBeLessThanOrEqual(Math.max(transform.origin, 0));
      const end = Math.min(transform.origin + visibleRows(layout) * transform.bytesPerRow, 2 ** 32);
      expect(origin + rows * bytesPerRow).toBeGreaterThanOrEqual(end);
    }
  });

  it('begins at 0 when the map shows room above the memory', () => {
    const viewport = viewportOf(wide, { origin: -3 * 4096, bytesPerRow: 4096, shift: 0.3 });
    expect(viewport.origin).toBe(0);
    expect(viewport.rows).toBeGreaterThan(0);
  });
});
