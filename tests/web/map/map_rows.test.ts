import { describe, expect, it } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import {
  addressAt,
  addressBeside,
  between,
  fitRange,
  layoutFor,
  type MapLayout,
  type MapTransform,
  pointOf,
  rest,
  scrollBy,
  scrollTo,
  transformOf,
  viewportOf,
  visibleRows,
  wholeRows,
  zoomAbout,
} from '../../../web/src/map/map_geometry.ts';
import { kLeastFolded, MapRows, withoutRunsAt } from '../../../web/src/map/map_rows.ts';
import { bandsOf, endOfViewport, rowOfViewport } from '../../../web/src/protocol/viewport.ts';
import { emptyRuns, seeded } from './map_frames.ts';

/** Disjoint runs over some 4 MiB, short and long ones; the same each time. */
function randomRuns(random: () => number) {
  const runs: { at: number; size: number }[] = [];
  let at = Math.floor(random() * 4096) * 8;
  for (let run = 0; run < 40; run++) {
    const size = 64 + Math.floor(2 ** (random() * 17)) * 8;
    runs.push({ at, size });
    at += size + (random() < 0.2 ? 0 : 8 * Math.floor(2 ** (random() * 12)));
  }
  return { runs, end: at };
}

function* cases(count: number) {
  const random = seeded(29);
  for (let index = 0; index < count; index++) {
    const { runs, end } = randomRuns(random);
    const bytesPerRow = random() < 0.7 ? 2 ** Math.floor(4 + random() * 14) : 2 ** (4 + random() * 14);
    const wanted = Math.floor(random() * end);
    const origin = random() < 0.5 ? Math.floor(wanted / bytesPerRow) * bytesPerRow : wanted;
    yield { runs, end, empty: emptyRuns(runs), bytesPerRow, origin, random };
  }
}

describe('rows', () => {
  it('every address lies in exactly one row, whose begin and end are its neighbours', () => {
    for (const { empty, origin, bytesPerRow, end, random } of cases(300)) {
      const rows = new MapRows(empty, { origin, bytesPerRow });
      for (let each = 0; each < 40; each++) {
        const address = Math.floor(random() * end);
        const row = rows.rowOf(address);
        expect(rows.start(row)).toBeLessThanOrEqual(address);
        expect(rows.end(row)).toBeGreaterThan(address);
        expect(rows.end(row)).toBe(rows.start(row + 1));
        if (Number.isInteger(bytesPerRow)) expect(rows.rowOf(rows.start(row))).toBe(row); // at rest sums are exact
      }
      expect(rows.rowOf(origin)).toBe(0);
    }
  });

  it('a row is one slot, or the whole slots inside one run, kLeastFolded or more', () => {
    let folds = 0;
    for (const { empty, runs, origin, bytesPerRow, end } of cases(300)) {
      const rows = new MapRows(empty, { origin, bytesPerRow });
      for (let row = rows.rowOf(0), seen = 0; rows.start(row) < end && seen < 400; row++, seen++) {
        const slots = Math.round((rows.end(row) - rows.start(row)) / bytesPerRow);
        const run = runs[rows.foldAt(row) ?? -1];
        if (run === undefined) {
          expect(slots).toBe(1);
          continue;
        }
        folds++;
        expect(slots).toBeGreaterThanOrEqual(kLeastFolded);
        expect(rows.start(row)).toBeGreaterThanOrEqual(run.at);
        expect(rows.end(row)).toBeLessThanOrEqual(run.at + run.size);
        expect(rows.start(row) - run.at).toBeLessThan(bytesPerRow); // no slot of the run beside its fold would fit
        expect(run.at + run.size - rows.end(row)).toBeLessThan(bytesPerRow);
      }
    }
    expect(folds).toBeGreaterThan(1000);
  });

  it('a run that was opened does not fold', () => {
    const empty = emptyRuns([
      { at: 0x100, size: 0x1000 },
      { at: 0x2000, size: 0x1000 },
    ]);
    const open = withoutRunsAt(empty, [0x2fff]);
    expect([...open.address]).toEqual([0x100]);
    expect(withoutRunsAt(empty, [0x1100, 0x1fff])).toBe(empty);
  });
});

const layouts = (empty: MapLayout['empty']): readonly MapLayout[] => [
  layoutFor({ width: 1000, height: 640 }, empty),
  layoutFor({ width: 390, height: 340 }, empty),
];

describe('points', () => {
  it('an address is where its point is, in a fold too', () => {
    for (const { empty, origin, bytesPerRow, random } of cases(200)) {
      for (const layout of layouts(empty)) {
        const transform: MapTransform = { origin, bytesPerRow, shift: random() };
        const x = layout.left + random() * 0.999 * layout.textWidth;
        const y = layout.top + random() * (layout.height - layout.top);
        const point = pointOf(layout, transform, addressAt(layout, transform, x, y));
        expect(Math.abs(point.x - x)).toBeLessThan(0.01);
        expect(y - point.y).toBeGreaterThan(-1e-6);
        expect(y - point.y).toBeLessThan(layout.pitch + 1e-6);
      }
    }
  });

  it('a zoom keeps the address under the pointer in its row, and at its column when it is in no fold', () => {
    for (const { empty, origin, bytesPerRow, random } of cases(200)) {
      for (const layout of layouts(empty)) {
        const transform: MapTransform = { origin, bytesPerRow, shift: random() };
        const x = layout.left + (0.05 + random() * 0.9) * layout.textWidth;
        const y = layout.top + random() * (layout.height - layout.top - 1);
        const address = addressAt(layout, transform, x, y);
        for (const factor of [0.5, 0.93, 1.1, 2, 8]) {
          const zoomed = zoomAbout(layout, transform, x, y, bytesPerRow * factor);
          const point = pointOf(layout, zoomed, address);
          expect(y - point.y).toBeGreaterThan(-1e-6);
          expect(y - point.y).toBeLessThan(layout.pitch + 1e-6);
          const rows = new MapRows(empty, zoomed);
          if (rows.foldAt(rows.rowOf(address)) === undefined) expect(Math.abs(point.x - x)).toBeLessThan(0.05);
        }
      }
    }
  });

  it('at rest rows begin at multiples of their size, and what was under the pointer is in its row', () => {
    for (const { empty, origin, bytesPerRow, random } of cases(200)) {
      const layout = layoutFor({ width: 1000, height: 640 }, empty);
      const transform: MapTransform = { origin, bytesPerRow, shift: random() };
      const y = layout.top + random() * (layout.height - layout.top - 1);
      const address = addressAt(layout, transform, 500, y);
      const resting = rest(layout, transform, 500, y, -1);
      expect(Math.abs(resting.origin % resting.bytesPerRow)).toBe(0);
      const point = pointOf(layout, resting, address);
      expect(y - point.y).toBeGreaterThan(-1e-6);
      expect(y - point.y).toBeLessThan(layout.pitch + 1e-6);
    }
  });
});

describe('movements', () => {
  const empty = emptyRuns([{ at: 0x10_0000, size: 0x40_0000 }]);
  const layout = layoutFor({ width: 1000, height: 640 }, empty);

  it('rows scroll past a fold as past any other row', () => {
    const before = transformOf(0x10_0000 - 0x4000, 0x1000);
    expect(scrollBy(layout, before, 4).origin).toBe(0x10_0000);
    expect(scrollBy(layout, before, 5).origin).toBe(0x50_0000);
    expect(scrollBy(layout, scrollBy(layout, before, 6), -6)).toEqual(before);
    expect(addressBeside(layout, before, 0x10_0000 - 0x800, 1)).toBe(0x10_0000 + 0x20_0000);
    expect(addressBeside(layout, before, 0x10_0000 - 0x800, 2)).toBe(0x50_0800);
  });

  it('a journey over a fold passes as many rows as are shown', () => {
    const from = transformOf(0x10_0000 - 0x4000, 0x1000);
    const to = transformOf(0x50_2000, 0x1000);
    const places = [0.25, 0.5, 0.75].map((share) => {
      const now = between(layout, from, to, share);
      return new MapRows(empty, from).rowOf(now.origin) + now.shift;
    });
    expect(places).toEqual([1.75, 3.5, 5.25]);
  });

  it('a range behind a fold is scrolled to over as few rows as are shown', () => {
    const from = transformOf(0x10_0000 - 0x4000, 0x1000);
    expect(scrollTo(layout, from, 0x50_1000, 0x50_2000)).toBe(from); // in view already
    expect(pointOf(layout, scrollTo(layout, from, 0x60_0000, 0x60_1000), 0x60_0000).row).toBeLessThan(
      wholeRows(layout),
    );
  });

  it('all of a heap fits at the closest zoom at which its rows and folds are on the canvas', () => {
    for (const { empty: runs, runs: list, end } of cases(100)) {
      const fitted = layoutFor({ width: 1000, height: 640 }, runs);
      const from = list[0]?.at ?? 0;
      const { origin, bytesPerRow } = fitRange(fitted, from, end);
      expect(new MapRows(runs, { origin, bytesPerRow }).rowOf(end - 1)).toBeLessThan(wholeRows(fitted));
      expect(fitRange(layoutFor({ width: 1000, height: 640 }), from, end).bytesPerRow).toBeGreaterThanOrEqual(
        bytesPerRow,
      );
    }
  });
});

describe('the frame that is asked for', () => {
  it('has a row for every visible slot and none for what is folded', () => {
    for (const { empty, origin, bytesPerRow, random } of cases(300)) {
      const layout = layoutFor({ width: 1000, height: 640 }, empty);
      const transform: MapTransform = { origin, bytesPerRow, shift: random() };
      const viewport = viewportOf(layout, transform);
      const rows = new MapRows(empty, transform);
      expect(viewport.rows).toBeLessThan(visibleRows(layout) + 2 * kLeastFolded * (viewport.gaps?.length ?? 0) + 8);
      for (let row = 0; row < visibleRows(layout); row++) {
        if (rows.foldAt(row) !== undefined || rows.start(row) < 0) continue;
        const middle = (rows.start(row) + rows.end(row)) / 2;
        const shown = rowOfViewport(viewport, middle);
        const inRun = empty.address.some((at, run) => at <= middle && middle < at + (empty.size[run] ?? 0));
        if (!inRun) expect(shown).toBeDefined();
      }
      expect(endOfViewport(viewport)).toBeGreaterThanOrEqual(rows.end(visibleRows(layout) - 1));
    }
  });

  it('its bands are all its rows, with the gaps between them', () => {
    const gaps = [
      { beforeRow: 0, slots: 3 },
      { beforeRow: 2, slots: 10 },
      { beforeRow: 5, slots: 4 },
    ];
    const viewport = { origin: addr(0x1000), bytesPerRow: bytes(0x100), rows: 5, columns: 100, gaps };
    expect(bandsOf(viewport)).toEqual([
      { origin: 0x1300, firstRow: 0, rows: 2 },
      { origin: 0x1f00, firstRow: 2, rows: 3 },
    ]);
    expect(endOfViewport(viewport)).toBe(0x1000 + 22 * 0x100);
    expect(rowOfViewport(viewport, 0x1401)).toBe(1);
    expect(rowOfViewport(viewport, 0x1501)).toBeUndefined();
    expect(rowOfViewport(viewport, 0x2000)).toBe(3);
  });
});
