// What each reader of a program's calls says of them is what the one who drew them wrote down.

import { beforeAll, describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { columnsOf, ProgramTable } from '../../../web/src/convert/program_table.ts';
import { RangeSites } from '../../../web/src/engine/range_sites.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { BlockFacts } from '../../../web/src/report/block_facts.ts';
import { ProgramCalls } from '../../../web/src/report/program_calls.ts';
import type { SiteEntry } from '../../../web/src/report/site_facts.ts';
import { someOf } from '../../every.ts';
import { type DrawnBlock, DrawnCalls, kFunctions, kWord } from './drawn_calls.ts';

/** A moment, and the blocks then. */
interface Moment {
  readonly event: number;
  readonly live: ReadonlyMap<number, DrawnBlock>;
}

describe.each(someOf([1, 2]))('of calls drawn with seed %i', (seed) => {
  const drawn = new DrawnCalls(seed);
  const moments: Moment[] = [];
  const facts = new BlockFacts(1);
  let entries: readonly SiteEntry[];
  let model: Model;
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const isMade = ({ born, found }: DrawnBlock, from: number, to: number) => !found && born > from && born <= to;

  beforeAll(() => {
    for (const blocks of [1500, 1500, 1500, 200, 200, 200]) {
      drawn.draw(700, blocks);
      moments.push({ event: drawn.trace.count, live: new Map(drawn.live) });
    }
    const calls = new ProgramCalls(drawn.trace, kWord, facts);
    calls.readTo(moments[3]?.event ?? 0);
    facts.noteBetween(moments[1]?.event ?? 0, moments[3]?.event ?? 0);
    calls.readTo(drawn.trace.count);
    entries = facts.siteEntries(drawn.trace.count);
    model = new Model(drawn.trace);
    model.history.fold();
  });

  test('a report has the totals, and each live block with its bytes, birth and site', () => {
    const { changes, totals } = drawn;
    expect(facts.totals).toEqual({
      ...totals,
      allocations: sum(changes.map(({ born }) => born)),
      allocated_bytes: sum(changes.map(({ allocated }) => allocated)),
      frees: sum(changes.map(({ ended }) => ended)),
      freed_bytes: sum(changes.map(({ freed }) => freed)),
      resized_bytes: sum(changes.map(({ resized }) => resized)),
    });
    const { blocks } = facts;
    const said = [...blocks.entries()].map(([at, slot]) => [
      at,
      { request: blocks.request[slot], born: blocks.bornEvent[slot], found: blocks.found[slot] === 1 },
    ]);
    const known = [...drawn.live].map(([at, { site: _, ...block }]) => [at, block]);
    expect(new Map(said as [number, object][])).toEqual(new Map(known as [number, object][]));
    expect(known.length).toBeGreaterThan(100);
  });

  test('a report has the figures of each call site, and of what was made between two marks', () => {
    const [from, to] = [moments[1]?.event ?? 0, moments[3]?.event ?? 0];
    for (const site of [0, ...kFunctions.map((name) => drawn.site(name))]) {
      const changes = drawn.changes.filter((change) => change.site === site);
      const ofSite = (live: ReadonlyMap<number, DrawnBlock> | undefined) =>
        [...(live ?? []).values()].filter((block) => block.site === site);
      const inBetween = ofSite(moments[3]?.live).filter((block) => isMade(block, from, to));
      const left = ofSite(drawn.live).filter((block) => isMade(block, from, to));
      expect(entries.find((entry) => entry.site === site)?.figures, String(site)).toMatchObject({
        allocations: sum(changes.map(({ born }) => born)),
        allocated_bytes: sum(changes.map(({ allocated }) => allocated)),
        frees: sum(changes.map(({ ended }) => ended)),
        freed_bytes: sum(changes.map(({ freed }) => freed)),
        resized_bytes: sum(changes.map(({ resized }) => resized)),
        live_blocks: ofSite(drawn.live).length,
        live_bytes: sum(ofSite(drawn.live).map(({ request }) => request)),
        between_blocks: inBetween.length,
        between_bytes: sum(inBetween.map(({ request }) => request)),
        between_left_blocks: left.length,
        between_left_bytes: sum(left.map(({ request }) => request)),
      });
    }
  });

  test('an export has a row for each call and each block that was found', () => {
    const table = new ProgramTable(model.history);
    new ProgramCalls(drawn.trace, kWord, table).readTo(drawn.trace.count);
    const { usable: _, footprint: __, ...columns } = columnsOf(table);
    const kept = { ...columns, site: table.site.subarray(0, table.count) };
    const rowAt = (row: number) => Object.fromEntries(Object.entries(kept).map(([name, of]) => [name, of[row]]));
    expect(table.count).toBe(drawn.rows.length);
    for (const [nth, row] of drawn.rows.entries()) expect(rowAt(nth), `row ${nth}`).toEqual(row);
  });

  test('a stretch has what was allocated, freed and kept in it, by function', async () => {
    const ranges = moments.flatMap((to, nth) => [{ event: 0 }, ...moments.slice(0, nth)].map((from) => ({ from, to })));
    for (const { from, to } of ranges) {
      const session = { model, wordSize: kWord, head: seq(drawn.trace.count) };
      const range = { from: from.event, to: to.event, libraries: false };
      const said = await new RangeSites().of(session, range, async () => {});
      const inRange = drawn.changes.filter(({ event }) => event > from.event && event <= to.event);
      for (const name of kFunctions) {
        const changes = inRange.filter(({ site }) => site === drawn.site(name));
        const kept = [...to.live.values()].filter(
          (block) => block.site === drawn.site(name) && isMade(block, from.event, to.event),
        );
        expect(said.rows.find(({ frame }) => frame === name)).toEqual({
          frame: name,
          allocated: sum(changes.map(({ allocated, resized }) => allocated + Math.max(0, resized))),
          freed: sum(changes.map(({ freed, resized }) => freed + Math.max(0, -resized))),
          kept: sum(kept.map(({ request }) => request)),
        });
        expect(
          said.nodes
            .filter(({ frame }) => frame === name)
            .map(({ count, ownBytes, oldest }) => ({ count, ownBytes, oldest })),
        ).toEqual(
          kept.length === 0
            ? []
            : [
                {
                  count: kept.length,
                  ownBytes: sum(kept.map(({ request }) => request)),
                  oldest: Math.min(...kept.map(({ born }) => born)),
                },
              ],
        );
      }
      expect(said.freed).toBe(sum(inRange.map(({ freed, resized }) => freed + Math.max(0, -resized))));
    }
  });
});
