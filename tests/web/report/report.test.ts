import Ajv from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { renderHtml } from '../../../web/src/document/render_html.ts';
import { renderText } from '../../../web/src/document/render_text.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { HeapStats } from '../../../web/src/heap/heap_types.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, Op, Status } from '../../../web/src/protocol/event_layout.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { reportDocument } from '../../../web/src/report/report_document.ts';
import { kReportSchema } from '../../../web/src/report/report_schema.ts';
import { textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { withSites } from '../model/sited_trace.ts';
import { playCounted, traceOf } from './counted_heap.ts';

const validate = new Ajv().compile(kReportSchema);

describe('a report of random calls', () => {
  for (const seed of [1, 2, 3]) {
    test(`says what the caller counted itself (seed ${seed})`, async () => {
      const { file, counted, stats } = await playCounted(seed, 5000);
      const report = makeReport(file, { name: 'random' });
      expect(report.notices).toEqual([]);
      expect(report.totals).toMatchObject({
        allocations: counted.allocations,
        allocated_bytes: counted.allocatedBytes,
        frees: counted.frees,
        freed_bytes: counted.freedBytes,
        reallocations: counted.resizes,
        unknown_frees: 0,
      });
      expect(report.peak.live.bytes).toBe(counted.peakBytes);
      expect(report.leaks).toMatchObject({ blocks: counted.live.size, bytes: counted.liveBytes });
      expect(report.end).toMatchObject({
        in_use_bytes: stats.inUse,
        free_bytes: stats.freeBytes,
        largest_free_bytes: stats.largestFree,
        footprint_bytes: stats.footprint,
      });
      expect(report.returnable.end_bytes).toBe(stats.returnable - spareOf(stats));
      expect(report.peak.footprint.bytes).toBeGreaterThanOrEqual(stats.peakFootprint);
      for (const { event } of report.timeline) expect(depthAt(file, event), `event ${event}`).toBe(0);
      expect(report.fragmentation.end).toBeCloseTo(1 - stats.largestFree / stats.freeBytes, 5);
      expect(report.trace.proof).toMatchObject({ equal: true });
      expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    });
  }
});

test('fragmentation is that of the places where a tenth of the footprint is free: the first worst, and the mean', async () => {
  const { file } = await playCounted(4, 5000);
  const { fragmentation, timeline } = makeReport(file, { name: 'random' });
  const counted = timeline.filter(
    ({ free_bytes, footprint_bytes }) => free_bytes > 0 && free_bytes * 10 >= footprint_bytes,
  );
  const shares = counted.map((sample) => sample.fragmentation);
  expect(counted.length).toBeGreaterThan(3);
  expect(counted.length).toBeLessThan(timeline.length);
  expect(fragmentation.mean).toBeCloseTo(shares.reduce((sum, share) => sum + share, 0) / shares.length, 3);
  expect(fragmentation.worst).toBe(Math.max(...shares));
  expect(fragmentation.worst_event).toBe(counted[shares.indexOf(fragmentation.worst)]?.event);
});

test('a heap that has no memory yet is no place in the figures of fragmentation', async () => {
  const heap = await createHeap({ trace: true });
  heap.deallocate(heap.allocate(4000));
  const { trace: played, ...file } = traceOf(heap);
  const refused = [headOf(EventKind.opBegun, 1, Op.allocate), 0, 64, 0];
  const answer = [headOf(EventKind.opEnded, 1, Op.allocate), 0, 0, Status.outOfMemory];
  const trace = new Trace();
  trace.append(Uint32Array.from([...refused, ...answer]));
  for (let event = 0; event < played.count; ++event)
    trace.append(Uint32Array.of(played.head(event), played.a(event), played.b(event), played.c(event)));
  const { fragmentation, timeline } = makeReport({ ...file, trace }, { name: 'refused' });
  const [without, first] = timeline;
  expect([without?.footprint_bytes, without?.free_bytes]).toEqual([0, 0]);
  expect(first?.free_bytes).toBeGreaterThan(0);
  expect(fragmentation.worst_event).toBe(first?.event);
});

test('of many call sites that keep pages the twenty are named that keep most', async () => {
  const heap = await createHeap({ trace: true });
  const blocks = Array.from({ length: 1200 }, () => heap.allocate(4000));
  for (const [i, block] of blocks.entries()) if (i % 10 !== 0) heap.deallocate(block);
  const { trace, ...file } = traceOf(heap);
  // The nth of 120 blocks that stay is of site sqrt(nth), so that later sites keep more.
  const stackOf = (operation: number) => [`site_${Math.floor(Math.sqrt(operation / 2))}@a.c:1`];
  const { returnable } = makeReport({ ...file, trace: withSites(trace, stackOf) }, { name: 'sited' });
  const held = returnable.held_by.map(({ held_bytes }) => held_bytes);
  expect(held).toHaveLength(20);
  expect(held).toEqual(held.toSorted((one, other) => other - one));
  expect(held[0]).toBeGreaterThan(held[19] ?? 0);
  expect(held[19]).toBeGreaterThan(0);
});

/** Bytes in whole pages of 4 KiB that no heap holds. */
const spareOf = ({ total, footprint }: HeapStats): number => total - footprint - ((total - footprint) % 4096);

test('what keeps pages is named by call site, and what is free beside it adds up', async () => {
  const heap = await createHeap({ trace: true });
  const blocks = Array.from({ length: 1000 }, () => heap.allocate(2000));
  const kept = blocks.filter((_, i) => i % 50 < 2); // pairs side by side, which share a page
  for (const block of blocks) if (!kept.includes(block)) heap.deallocate(block);
  const { returnable } = makeReport(traceOf(heap), { name: 'kept' });
  const [keeper] = returnable.held_by;
  expect(returnable.held_by).toHaveLength(1);
  const kChunk = 2008;
  expect(keeper).toMatchObject({ blocks: 40, bytes: 40 * kChunk, stack: [] });
  const pages = new Set(kept.flatMap((at) => [at - 4, at - 4 + kChunk - 1].map((byte) => Math.floor(byte / 4096))));
  expect(keeper?.held_bytes).toBe(pages.size * 4096 - 40 * kChunk);
  expect(returnable.end_bytes).toBe(heap.stats().returnable - spareOf(heap.stats()));
});

test('a mark has its event, its name, and what lived then', async () => {
  const heap = await createHeap({ trace: true });
  const live: number[] = [];
  for (const [nth, size] of [100, 3000].entries()) {
    heap.allocate(size);
    live.push((live[nth - 1] ?? 0) + size);
    heap.mark(`part ${nth}`);
  }
  const file = traceOf(heap);
  const report = makeReport(file, { name: 'marked' });
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...report, marks: { count: 1, list: [{}] } }), 'a mark of nothing').toBe(false);
  expect(report.marks.count).toBe(2);
  expect(report.marks.list.map(({ name }) => name)).toEqual(['part 0', 'part 1']);
  for (const [nth, { event, live_bytes }] of report.marks.list.entries()) {
    expect(live_bytes).toBe(live[nth]);
    expect(file.trace.kind(event - 1), 'the moment behind the mark').toBe(EventKind.mark);
  }
});

test('the page says that nothing asks for advice only where nothing does', async () => {
  const heap = await createHeap({ trace: true });
  for (let nth = 0; nth < 5; ++nth) heap.allocate(1000 + nth);
  const without = makeReport(traceOf(heap), { name: 'few' });
  expect(renderText(reportDocument(without))).toContain('Nothing asks for a pool or a reserve.');
  for (let nth = 0; nth < 3000; ++nth) heap.allocate(20);
  const withPool = makeReport(traceOf(heap), { name: 'many' });
  expect(withPool.advice.pools.length + withPool.advice.reserves.length).toBeGreaterThan(0);
  expect(renderText(reportDocument(withPool))).not.toContain('Nothing asks for');
});

test('memory that grew, or never did, is told by what is known of it', async () => {
  const heap = await createHeap({ trace: true });
  expect(heap.allocate(8 << 20)).toBeGreaterThan(0);
  const grew = traceOf(heap);
  for (const [file, line] of [
    [grew, /^ {2}peak of linear memory +([89](?:\.\d+)? MiB), (at event .*)$/m],
    [
      withoutGrowth(grew),
      /^ {2}peak of linear memory +(at least [89](?:\.\d+)? MiB), (the heaps end there; it was not seen to grow)$/m,
    ],
  ] as const) {
    const document = reportDocument(makeReport(file, { name: 'memory' }));
    const [, value, note] = line.exec(renderText(document)) ?? [];
    expect(renderHtml(document).replaceAll('\u202f', ' ')).toContain(
      `<dt>peak of linear memory</dt><dd><strong>${value}</strong><span>${note}</span>`,
    );
  }
});

test('a peak is where it was first reached', async () => {
  const heap = await createHeap({ trace: true });
  const large = heap.allocate(8 << 20);
  heap.deallocate(large);
  heap.deallocate(heap.allocate(100));
  const file = traceOf(heap);
  const { peak } = makeReport(file, { name: 'peak' });
  const model = new Model(file.trace);
  model.history.fold();
  const before = (event: number) => ({ ...model.at(event - 1).state });
  expect(model.at(peak.in_use.event).state.inUse).toBe(peak.in_use.bytes);
  expect(before(peak.in_use.event).inUse).toBeLessThan(peak.in_use.bytes);
  expect(model.at(peak.footprint.event).state.footprint).toBe(peak.footprint.bytes);
  expect(before(peak.footprint.event).footprint).toBeLessThan(peak.footprint.bytes);
});

test('growth of heaps within a memory that did not grow is counted; without call sites nothing is said of them', async () => {
  const heap = await createHeap({ trace: true });
  heap.allocate(8 << 20);
  const report = makeReport(withoutGrowth(traceOf(heap)), { name: 'within' });
  expect(report.growths.of_heaps).toBeGreaterThan(0);
  const text = renderText(reportDocument(report));
  expect(text).toMatch(/Linear memory was not seen to grow; \d+ growths? of heaps lay within what it had\./);
  expect(text).not.toContain('call stack');
});

test('a cell of a call site is never empty, and events are written as everywhere else', async () => {
  const heap = await createHeap({ trace: true });
  for (let n = 0; n < 400; n++) {
    const between = heap.allocate(8 << 10);
    heap.allocate(64);
    heap.deallocate(between);
  }
  heap.allocate(8 << 20);
  const report = makeReport(traceOf(heap), { name: 'no sites' });
  expect(report.returnable.held_by).toHaveLength(1);
  const text = renderText(reportDocument(report));
  expect(text).toMatch(/free beside it {2}blocks .*call site\n.* {2}not known\n/);
  const last = report.growths.list.at(-1)?.event ?? 0;
  expect(last).toBeGreaterThan(1000);
  const growths = text.slice(text.indexOf('What forced each growth'));
  expect(growths).toMatch(/\n {2}\d,\d{3} +[\d.]+ [KM]iB /);
});

describe('a damaged stream of events', () => {
  test('gives a report that fits the schema, and says where the heap is unknown', async () => {
    const { file } = await playCounted(4, 400);
    const random = createRandom(12);
    let broken = 0;
    for (let i = 0; i < 80; ++i) {
      const report = makeReport(mutated(file, random.below), { name: 'damaged' });
      expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
      if (!report.trace.whole) {
        expect(report.notices.join()).toMatch(/the heap is known only up to event/);
        broken += 1;
      }
    }
    expect(broken).toBeGreaterThan(25);
  });

  test('a text of any length is cut', () => {
    const notes = { title: '<script>'.repeat(1000), chapters: [] };
    const report = makeReport(
      { trace: new Trace(), wordSize: 4, traceVersion: 5, notes, notice: undefined },
      { name: 'x' },
    );
    expect(report.trace.title).toHaveLength(200);
    expect(renderHtml(reportDocument(report), { text: '', hash: '', data: { report } }).split('<script')).toHaveLength(
      3,
    ); // the page's own two
  });
});

/** How many operations have begun and not ended. */
function depthAt({ trace }: TraceFile, end: number): number {
  let depth = 0;
  for (let seq = 0; seq < end; ++seq) {
    if (trace.kind(seq) === EventKind.opBegun) depth += 1;
    else if (trace.kind(seq) === EventKind.opEnded) depth -= 1;
  }
  return depth;
}

/** As a program records it whose memory had room enough from the beginning. */
function withoutGrowth({ trace, ...rest }: TraceFile): TraceFile {
  const same = new Trace();
  for (let seq = 0; seq < trace.count; ++seq) {
    if (trace.kind(seq) === EventKind.memoryGrown) continue;
    same.appendEvent(trace.head(seq), trace.a(seq), trace.b(seq), trace.c(seq));
  }
  return { ...rest, trace: same };
}

/** With some words of some events changed, as a file with right checksums may have them. */
function mutated(file: TraceFile, below: (limit: number) => number): TraceFile {
  const words = new Uint32Array(file.trace.count * 4);
  for (let seq = 0; seq < file.trace.count; ++seq) {
    words.set([file.trace.head(seq), file.trace.a(seq), file.trace.b(seq), file.trace.c(seq)], seq * 4);
  }
  for (let n = below(4); n >= 0; --n) {
    const at = below(words.length);
    words[at] = below(2) === 0 ? below(2 ** 32) : ((words[at] ?? 0) ^ (1 << below(32))) >>> 0;
    if (at % 4 === 0) words[at] = ((words[at] ?? 0) & ~0xff) | ((words[below(file.trace.count) * 4] ?? 0) & 0xff);
  }
  const trace = new Trace();
  trace.append(words);
  return { ...file, trace };
}

test('claims nothing of the words of a heap that is not ours, wherever its texts stand', () => {
  const wordBytes = (detail: number, heapFirst: boolean) => {
    const trace = new Trace();
    const begin = () => trace.appendEvent(headOf(EventKind.heapCreated, 1, detail), 0, 8, 0);
    if (heapFirst) begin();
    trace.append(textRecords('work'));
    trace.appendEvent(headOf(EventKind.stringDefined, 0), 1, 0, 0);
    if (!heapFirst) begin();
    return makeReport({ trace, traceVersion: trace.version, wordSize: 4, notes: {}, notice: undefined }, { name: 'x' })
      .trace.word_bytes;
  };
  expect([wordBytes(0, true), wordBytes(0, false), wordBytes(4, true)]).toEqual([0, 0, 4]);
});
