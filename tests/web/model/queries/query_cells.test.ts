// What a cell shows of what it does not have: nothing. Of what is in it, however little, at least one step.

import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { queryCells } from '../../../../web/src/model/queries/query_cells.ts';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { cache, kBase, kSixChunks } from '../cached_events.ts';
import { traceOf } from '../small_events.ts';

test.each([256, 4096, 65_536])(
  'of %i bytes a cell has a share of what lies in it, and of nothing else',
  (cellBytes) => {
    const history = new History(traceOf([...kSixChunks, cache(0)]));
    history.fold();
    const rows = (3 * 65_536) / (4 * cellBytes); // a segment, and as much before and behind it
    const view = { origin: addr(kBase - 65_536), bytesPerRow: bytes(4 * cellBytes), rows: Math.ceil(rows), columns: 4 };
    const { inUse, cached, pool, free, top, age, cellsPerRow } = queryCells(history.head, new PageSummary(), view);
    expect(cellsPerRow).toBe(4);
    const first = 65_536 / cellBytes;
    const end = first + 65_536 / cellBytes;
    const shown = (shares: Uint8Array) => Array.from(shares, (_, cell) => cell).filter((cell) => shares[cell] !== 0);
    const all = Array.from({ length: end - first }, (_, nth) => first + nth);
    const usedEnd = first + Math.ceil((12 + 6 * 72) / cellBytes);
    expect(shown(pool)).toEqual([]);
    expect(shown(free)).toEqual([]);
    expect(shown(cached)).toEqual([first]);
    expect(shown(inUse)).toEqual(all.slice(0, usedEnd - first));
    expect(shown(top)).toEqual(all.slice(Math.floor((12 + 6 * 72) / cellBytes)));
    for (const [cell, years] of age.entries())
      if (inUse[cell] === 0)
        expect(years, `cell ${cell}`).toBe(255); // nothing in it was born
      else expect(years, `cell ${cell}`).toBeLessThan(255);
  },
);
