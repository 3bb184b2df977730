import { beforeAll, describe, expect, test } from 'vitest';
import { CallKind, programTable } from '../../../web/src/convert/program_table.ts';
import { renderText } from '../../../web/src/document/render_text.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { checkAssertions, parseAssertions } from '../../../web/src/report/assertions.ts';
import { type Reading, readReport } from '../../../web/src/report/report.ts';
import { reportDocument } from '../../../web/src/report/report_document.ts';
import type { SiteFigures } from '../../../web/src/report/report_types.ts';
import { addFigures, noFigures } from '../../../web/src/report/site_facts.ts';
import { siteRows } from '../../../web/src/report/site_sums.ts';
import { findBetween } from '../../../web/src/report/trace_places.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, kEventWords, Trace } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { withSites } from '../model/sited_trace.ts';
import { playCounted } from './counted_heap.ts';

/** Forty stacks in four functions; every ninth operation does not tell. */
const stackOf = (operation: number): readonly string[] =>
  operation % 9 === 0
    ? []
    : ['main@app.cpp:9', `load_${operation % 4}@load.cpp:${operation % 40}`, 'parse::list<int, int>@parse.cpp:7'];

/** The trace with marks put behind two fifths and four fifths of its operations. */
function withMarks(from: Trace): Trace {
  const to = new Trace(from.version);
  let depth = 0;
  const due = [
    { at: (from.count * 2) / 5, name: 'a' },
    { at: (from.count * 4) / 5, name: 'b' },
  ];
  for (let seq = 0; seq < from.count; ++seq) {
    const kind = from.kind(seq);
    const next = due[0];
    const isText = kind === EventKind.text || from.kind(seq - 1) === EventKind.text;
    if (next !== undefined && depth === 0 && seq > next.at && !isText) {
      to.append(textRecords(next.name));
      to.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
      due.shift();
    }
    if (kind === EventKind.opBegun) depth += 1;
    else if (kind === EventKind.opEnded) depth -= 1;
    const words = new Uint32Array(kEventWords);
    words.set([from.head(seq), from.a(seq), from.b(seq), from.c(seq)]);
    to.append(words);
  }
  return to;
}

let file: TraceFile;
let reading: Reading;
let between: { readonly from: { readonly event: number }; readonly to: { readonly event: number } };
beforeAll(async () => {
  const played = await playCounted(6, 6000);
  file = { ...played.file, trace: withMarks(withSites(played.file.trace, stackOf)) };
  const places = findBetween(file, 'a', 'b');
  if (!places.ok) throw new Error(places.error);
  between = places.value;
  reading = readReport(file, { name: 'sited', between: places.value });
});

/** The same by rows of the program's calls, the index of sites, and no cleverness. */
function naive(): Map<string, ReturnType<typeof noFigures>> {
  const table = programTable(file);
  const { history } = new Model(file.trace);
  history.fold();
  let peakRow = 0;
  for (let row = 0; row < table.count; ++row) {
    if ((table.liveBytes[row] ?? 0) > (table.liveBytes[peakRow] ?? 0)) peakRow = row;
  }
  const sums = new Map<string, ReturnType<typeof noFigures>>();
  const live = new Map<number, { key: string; bytes: number; born: number; allocation: number; since: number }>();
  const of = (key: string) => {
    const known = sums.get(key) ?? noFigures();
    sums.set(key, known);
    return known;
  };
  let allocations = 0;
  let noted = false;
  const note = (event: number) => {
    if (noted || event <= between.to.event) return;
    noted = true;
    for (const { key, bytes, born } of live.values()) {
      if (born <= between.from.event) continue;
      of(key).between_blocks += 1;
      of(key).between_bytes += bytes;
    }
  };
  for (let row = 0; row < table.count; ++row) {
    const event = table.event[row] ?? 0;
    const block = table.block[row] ?? 0;
    const bytes = table.bytes[row] ?? 0;
    note(event);
    const call = table.call[row];
    if (call === CallKind.allocate) {
      const key = history.sites.stack(history.sites.ofEvent(event - 1, history.operations)).join('\n');
      live.set(block, { key, bytes, born: event, allocation: allocations++, since: event });
      of(key).allocations += 1;
      of(key).allocated_bytes += bytes;
    } else if (call === CallKind.resize) {
      allocations += 1;
      const known = live.get(block);
      if (known === undefined) throw new Error('resize of nothing');
      of(known.key).resized_bytes += bytes - known.bytes;
      of(known.key).byte_events += known.bytes * (event - known.since);
      live.set(block, { ...known, bytes, allocation: known.allocation + 1, since: event });
    } else if (call === CallKind.free) {
      const known = live.get(block);
      if (known === undefined) throw new Error('free of nothing');
      live.delete(block);
      of(known.key).frees += 1;
      of(known.key).freed_bytes += known.bytes;
      of(known.key).byte_events += known.bytes * (event - known.since);
      if (allocations - known.allocation - 1 < 1) {
        of(known.key).temporaries += 1;
        of(known.key).temporary_bytes += known.bytes;
      }
    }
    if (row !== peakRow) continue;
    for (const { key, bytes: lived } of live.values()) {
      of(key).peak_blocks += 1;
      of(key).peak_bytes += lived;
    }
  }
  for (const { key, bytes, born, since } of live.values()) {
    of(key).live_blocks += 1;
    of(key).live_bytes += bytes;
    of(key).byte_events += bytes * (file.trace.count - since);
    if (born <= between.from.event || born > between.to.event) continue;
    of(key).between_left_blocks += 1;
    of(key).between_left_bytes += bytes;
  }
  return sums;
}

describe('the figures of call sites', () => {
  test('are those of a naive count', () => {
    const twin = naive();
    expect(twin.size).toBeGreaterThan(20);
    for (const { stack, figures } of reading.sites) {
      const { most_live_bytes: _, ...exact } = figures;
      const { most_live_bytes: __, ...wanted } = twin.get(stack.join('\n')) ?? noFigures();
      expect(exact, stack[1]).toEqual(wanted);
      twin.delete(stack.join('\n'));
    }
    for (const { allocations } of twin.values()) expect(allocations).toBe(0);
  });

  test('add up to those of the program', () => {
    const { totals, peak, leaks, temporaries, sites } = reading.report;
    const sum = noFigures();
    for (const figures of [...sites.list, sites.other, sites.unknown] as SiteFigures[]) addFigures(sum, figures);
    expect(sum).toMatchObject({
      allocations: totals.allocations,
      allocated_bytes: totals.allocated_bytes,
      frees: totals.frees,
      freed_bytes: totals.freed_bytes,
      resized_bytes: totals.resized_bytes,
      live_blocks: leaks.blocks,
      live_bytes: leaks.bytes,
      peak_blocks: peak.live.blocks,
      peak_bytes: peak.live.bytes,
      temporaries: temporaries.allocations,
    });
    expect(sites.unknown.allocations).toBeGreaterThan(100);
    const own = noFigures();
    for (const figures of [...sites.own.list, sites.own.other, sites.unknown] as SiteFigures[])
      addFigures(own, figures);
    expect(own).toEqual(sum);
  });

  test('between marks say which blocks of a phase live at its end', () => {
    const kept = reading.report.sites.list.reduce((sum, site) => sum + site.between_blocks, 0);
    expect(kept).toBeGreaterThan(20);
    expect(renderText(reportDocument(reading.report))).toContain('Allocated behind "a" and live at "b"');
    expect(findBetween(file, 'b', 'a')).toEqual({
      ok: false,
      error: 'the trace has no mark "a" behind the first mark "b"; it has "a", "b"',
    });
    expect(findBetween(file, 'c', 'a')).toMatchObject({ error: 'the trace has no mark "c"; it has "a", "b"' });
  });

  test.each([
    ['Call sites of what still lives', ['live_blocks', 'live_bytes']],
    ['Allocated behind "a" and live at "b"', ['between_blocks', 'between_bytes', 'between_left_blocks']],
  ] as const)('the table "%s" has those that have blocks, most bytes first', (title, columns) => {
    const known = [...naive()]
      .filter(([stack, figures]) => stack !== '' && figures[columns[0]] > 0)
      .map(([, figures]) => columns.map((name) => figures[name]).join());
    const tables = reportDocument(reading.report)
      .sections.flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.is === 'either' && block.whole.is === 'table' ? block.whole : []));
    const rows = tables.find((table) => table.title === title)?.rows ?? [];
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.map((row) => row.slice(0, -1).join()).toSorted()).toEqual(known.toSorted());
    const bytes = rows.map((row) => row[1]);
    expect(bytes).toEqual(bytes.toSorted((one, other) => Number(other) - Number(one)));
  });
});

describe('a condition', () => {
  test.each([
    ['<', [false, false, true]],
    ['<=', [false, true, true]],
    ['=', [false, true, false]],
    ['==', [false, true, false]],
    ['>=', [true, true, false]],
    ['>', [true, false, false]],
    ['!=', [true, false, true]],
  ])('%s holds below, at and above the figure as it reads', (operator, wanted) => {
    const { blocks } = reading.report.leaks;
    expect(blocks).toBeGreaterThan(0);
    const parsed = parseAssertions(
      [blocks - 1, blocks, blocks + 1].map((value) => `leaks${operator}${value}`).join(' '),
    );
    if (!parsed.ok) throw new Error(parsed.error);
    expect(checkAssertions(reading.report, parsed.value).map(({ holds }) => holds)).toEqual(wanted);
  });
});

describe('conditions on call sites', () => {
  const checked = (text: string) => {
    const parsed = parseAssertions(text);
    if (!parsed.ok) throw new Error(parsed.error);
    return checkAssertions(reading.report, parsed.value, reading.sites);
  };

  test('add the sites that have a frame of the pattern', () => {
    const load = reading.sites.filter(({ stack }) => stack[1]?.startsWith('load_1@'));
    expect(load.length).toBeGreaterThan(5);
    const blocks = load.reduce((sum, { figures }) => sum + figures.live_blocks, 0);
    expect(blocks).toBeGreaterThan(0);
    const [one, two, three] = checked(`site:load_1 leaks=${blocks} count<1 site:*@parse.cpp:7 peak>0`);
    expect([one?.holds, two?.holds, three?.holds]).toEqual([true, false, true]);
    expect(two?.sentence).toMatch(/^count of site:load_1 is [\d,]+ \(blocks allocated there\), and not count<1$/);
  });

  test('end with the argument in which the site stands, or stand behind it', () => {
    const sites = (text: string) => {
      const parsed = parseAssertions(text);
      if (!parsed.ok) throw new Error(parsed.error);
      return parsed.value.map(({ site, metric }) => `${site ?? ''} ${metric}`);
    };
    expect(sites('site:a* leaks=0 peak<3\npeak<4')).toEqual(['a* leaks', 'a* peak', ' peak']);
    expect(sites('site:a*\nleaks=0\npeak<4')).toEqual(['a* leaks', ' peak']);
    expect(sites('peak<4 site:"f(int, char)" bytes<1MiB')).toEqual([' peak', 'f(int, char) bytes']);
  });

  test('on handles say so where none was ever made: they would always hold', () => {
    const [verdict] = checked('handles=0');
    expect(verdict).toMatchObject({ holds: false, unanswered: true, sentence: expect.stringContaining('no handle') });
  });

  test('that no call site answers say so, and so does a metric that is only of the program', () => {
    const [verdict] = checked('site:nowhere* leaks=0');
    expect(verdict).toMatchObject({ holds: false, unanswered: true });
    expect(verdict?.sentence).toMatch(/no function of the trace fits site:nowhere\*; there are .*\bmain\b/);
    expect(checkAssertions(reading.report, [{ ...first('site:a leaks=0') }], [])[0]?.sentence).toBe(
      'the trace does not say where its calls came from: it was recorded without stacks',
    );
    expect(parseAssertions('site:a growths=0')).toEqual({
      ok: false,
      error: 'there is no metric "growths" of call sites; there are bytes, count, peak, leaks, leaked, temporaries',
    });
    expect(parseAssertions('site: leaks=0')).toMatchObject({ ok: false });
  });
});

function first(text: string) {
  const parsed = parseAssertions(text);
  const one = parsed.ok ? parsed.value[0] : undefined;
  if (one === undefined) throw new Error(text);
  return one;
}

test('what comes from no known call is apart from the sites, and is nothing where all calls are known', () => {
  const of = (peak_bytes: number) => ({ ...noFigures(), peak_bytes, allocations: 1 });
  const known = { stack: ['parse@parse.cpp:7'], figures: of(90) };
  expect(siteRows([known, { stack: [], figures: of(10) }], undefined)).toMatchObject({ count: 1, unknown: of(10) });
  expect(siteRows([known], undefined)).toMatchObject({ count: 1, unknown: noFigures() });
});
