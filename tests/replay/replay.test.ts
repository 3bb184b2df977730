// A replay on every allocator that is built here: its facts against a count of their own, its report against the schema.

import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../web/src/document/render_html.ts';
import { renderText } from '../../web/src/document/render_text.ts';
import { operationsOfTrace } from '../../web/src/replay/operations_of_trace.ts';
import { ReplayFailed, ReplayModule } from '../../web/src/replay/player.ts';
import { NothingToReplay, replayTrace } from '../../web/src/replay/replay.ts';
import { gainSentences, replayDocument } from '../../web/src/replay/replay_document.ts';
import { kReplaySchema } from '../../web/src/replay/replay_schema.ts';
import { kAllocatorNames, parseAllocators, type ReplayReport } from '../../web/src/replay/replay_types.ts';
import { replayOperations } from '../../web/src/replay/traced_replay.ts';
import { Trace } from '../../web/src/trace/trace.ts';
import type { TraceFile } from '../../web/src/trace/trace_file.ts';
import { readReplayBuild, replayModuleUrl } from '../../web/src/wasm/replay_artefacts.ts';
import { execute } from '../bench/malloc/execute.mjs';
import { randomOperations } from './random_operations.ts';

const validate = new Ajv().compile(kReplaySchema);
const words = randomOperations(1, 3000);

async function fileOf(list: Uint32Array): Promise<TraceFile> {
  const { trace, wordSize } = await replayOperations(list);
  return { trace, wordSize, traceVersion: trace.version, notes: { title: 'a <b> title' }, notice: undefined };
}

const options = { name: 'x.hgtrace', allocators: kAllocatorNames, comparedWith: 'dlmalloc', engine: 'Node' } as const;

describe('a replay', () => {
  let report: ReplayReport;
  const said: string[] = [];
  beforeAll(async () => {
    report = await replayTrace(await fileOf(words), { ...options, rounds: 1, say: (text) => said.push(text) });
  });

  test('fits the schema, which refuses a key too many', () => {
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...report, more: 1 })).toBe(false);
  });

  test('gives each allocator the memory and the growths that the bench gives it', async () => {
    for (const facts of report.allocators) {
      if (facts.absent !== null) continue;
      const bytes = readFileSync(replayModuleUrl(facts.name));
      const stream = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
      const { heapBytes, growths } = await execute(bytes, { mode: 'footprint', kind: 'stream' }, stream);
      expect([facts.name, facts.peak_footprint_bytes, facts.growths]).toEqual([facts.name, heapBytes, growths]);
    }
  });

  test('says how much is live, never more than an allocator has, and footprints that only rise', () => {
    const present = report.allocators.filter(({ absent }) => absent === null);
    expect(present.length).toBeGreaterThanOrEqual(6);
    for (const { footprint_bytes, peak_footprint_bytes, peak_asked_bytes, failed, time } of present) {
      expect(failed).toBeNull();
      expect(time?.ms).toBeGreaterThan(0);
      expect(peak_asked_bytes).toBeLessThanOrEqual(peak_footprint_bytes);
      expect(footprint_bytes).toHaveLength(report.samples.length);
      footprint_bytes.forEach((bytes, nth) => {
        expect(bytes).toBeGreaterThanOrEqual(report.samples[nth]?.live_bytes ?? 0);
        expect(bytes).toBeGreaterThanOrEqual(footprint_bytes[nth - 1] ?? 0);
      });
    }
    expect(report.program.peak_live_bytes).toBeGreaterThan(report.program.end_live_bytes);
  });

  test('says of each allocator which share of its memory was not live: at its peak, at the end, on average', () => {
    for (const { name, absent, footprint_bytes, unused_share } of report.allocators) {
      if (absent !== null) continue;
      const shares = footprint_bytes.map((bytes, nth) => 1 - (report.samples[nth]?.live_bytes ?? 0) / bytes);
      const peak = footprint_bytes.indexOf(Math.max(...footprint_bytes));
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      expect(unused_share.at_peak, name).toBeCloseTo(shares[peak] ?? 0, 3);
      expect(unused_share.end, name).toBeCloseTo(shares.at(-1) ?? 0, 3);
      expect(unused_share.mean, name).toBeCloseTo(mean, 3);
    }
  });

  test('has the size of each module, and the event of each sample', async () => {
    const build = await readReplayBuild();
    for (const { name, code_bytes } of report.allocators)
      expect([name, code_bytes]).toEqual([name, build.allocators[name].code_bytes]);
    expect(Math.max(...report.allocators.map(({ code_bytes }) => code_bytes))).toBeGreaterThan(1000);
    const { events } = operationsOfTrace(await fileOf(words));
    expect(report.samples.length).toBeGreaterThan(10);
    for (const { operations, event } of report.samples) expect(event).toBe(events[operations - 1]);
  });

  test('tells who is measured, before it is', () => {
    const present = report.allocators.filter(({ absent }) => absent === null);
    expect(said).toEqual([
      ...present.map(({ name }) => `${name}: memory`),
      `1 rounds of ${present.length} allocators: time`,
    ]);
  });

  test('is the same twice but for its times', async () => {
    const saidNow: string[] = [];
    const again = await replayTrace(await fileOf(words), { ...options, rounds: 0, say: (text) => saidNow.push(text) });
    expect(saidNow.filter((text) => text.includes('time'))).toEqual([]);
    const withoutTimes = ({ allocators, ...rest }: ReplayReport) => ({
      ...rest,
      measured: undefined,
      allocators: allocators.map((facts) => ({ ...facts, time: null })),
    });
    expect(withoutTimes(again)).toEqual(withoutTimes(report));
  });

  test('tells in words what each allocator would gain, and what is not built here', () => {
    const text = renderText(replayDocument(report));
    expect(text).toMatch(/^ {2}allocator {2}time, ms {2}ratio .* code$/m);
    expect(text).toMatch(
      /^ {2}fast in place of dlmalloc: .* time in malloc and free, .* memory at the peak .* of code\.$/m,
    );
    expect(gainSentences(report)).toHaveLength(report.allocators.filter(({ absent }) => absent === null).length - 1);
    const present = report.allocators.filter(({ absent }) => absent === null);
    const code = present.find(({ name }) => name === 'dlmalloc')?.code_bytes ?? 0;
    const signs = present.filter(({ name }) => name !== 'dlmalloc').map((facts) => Math.sign(facts.code_bytes - code));
    const kSigns = new Map([
      [1, /, \+\S+ ?.* of code\.$/],
      [-1, /, -\S+ ?.* of code\.$/],
      [0, /, no change of code\.$/],
    ]);
    expect(signs).toContain(1);
    for (const [nth, sentence] of gainSentences(report).entries())
      expect(sentence).toMatch(kSigns.get(signs[nth] ?? 0) ?? '');
    for (const { name, absent } of report.allocators) {
      if (absent !== null) expect(text).toContain(`${name} is not built here: ${absent}`);
    }
  });

  test('of one round an allocator has its time over that of the one that it is compared with', () => {
    const timed = report.allocators.flatMap(({ name, time }) => (time === null ? [] : [{ name, time }]));
    const reference = timed.find(({ name }) => name === 'dlmalloc')?.time.ms ?? 0;
    expect([timed.length > 1, reference > 0]).toEqual([true, true]);
    for (const { name, time } of timed) {
      const { ms, least_ms, most_ms, ratio, least_ratio, most_ratio } = time;
      expect([least_ms, most_ms, least_ratio, most_ratio], name).toEqual([ms, ms, ratio, ratio]);
      expect(Math.abs(ratio * reference - ms), name).toBeLessThan(2e-4 * (reference + ratio + 1)); // each is rounded to four places
    }
    expect(timed.find(({ name }) => name === 'dlmalloc')?.time.ratio).toBe(1);
    expect(renderText(replayDocument(report))).toContain('Time of malloc, free and kin');
  });

  test('names an allocator that failed, with why, and keeps it out of the table', () => {
    const allocators = report.allocators.map((facts) =>
      facts.name === 'fast' ? { ...facts, failed: 'memory ran out' } : facts,
    );
    const text = renderText(replayDocument({ ...report, allocators }));
    expect(text).toContain('fast failed: memory ran out.');
    expect(text).not.toMatch(/^ {2}fast in place of/m);
  });

  test('without times says nothing of them, and first what the file says', async () => {
    const file = { ...(await fileOf(words)), notice: 'the file ends early' };
    const untimed = await replayTrace(file, { ...options, rounds: 0 });
    expect(untimed.notices).toEqual([file.notice, ...report.notices]);
    const text = renderText(replayDocument(untimed));
    expect(text).toMatch(/^ {2}fast in place of dlmalloc: [^,]* memory at the peak/m);
    expect(text).not.toContain('time, ms');
    expect(text).not.toContain('Time of malloc');
  });

  test('beside an allocator that has no times, an allocator has its own and no ratio', async () => {
    const none = report.allocators.find(({ absent }) => absent !== null)?.name ?? 'mimalloc';
    const alone = await replayTrace(await fileOf(words), {
      ...options,
      allocators: ['fast'],
      comparedWith: none,
      rounds: 1,
    });
    const [fast, other] = alone.allocators;
    const isThere = other?.absent === null;
    const { ms = 0, ratio, least_ratio, most_ratio } = fast?.time ?? {};
    expect(ms).toBeGreaterThan(0);
    for (const one of [ratio, least_ratio, most_ratio])
      expect([(one ?? -1) > 0, one === 0]).toEqual([isThere, !isThere]);
    expect(validate(alone), JSON.stringify(validate.errors)).toBe(true);
  });

  test('becomes a page whose text is escaped and that runs nothing', () => {
    const page = renderHtml(replayDocument(report));
    expect(page).toContain('a &lt;b&gt; title');
    expect(page).not.toContain('<script');
    expect(page.match(/<path /g)).toHaveLength(1 + report.allocators.filter(({ absent }) => absent === null).length);
  });
});

test('a trace without calls is refused with a sentence', async () => {
  const empty = { trace: new Trace(), wordSize: 4, traceVersion: 5, notes: {}, notice: undefined } as const;
  await expect(replayTrace(empty, { ...options, rounds: 0 })).rejects.toThrow(NothingToReplay);
});

test('an allocator that runs out of memory has failed, and the place is named', async () => {
  const module = await ReplayModule.load(replayModuleUrl('fast'));
  const player = await module.start();
  const tooMuch = Uint32Array.of(0, 100, 1 << 8, 0xfff0_0000);
  expect(() => player.play(tooMuch)).toThrow(ReplayFailed);
  expect(() => player.play(tooMuch)).toThrow('between operations 1 and 2 memory ran out');
});

test('an allocator that nobody knows is named, with those there are', () => {
  expect(parseAllocators('fast,jemalloc', kAllocatorNames)).toBe(
    'there is no allocator "jemalloc" to replay on; there are fast, small, hardened, row-d, dlmalloc, emmalloc, mimalloc',
  );
  expect(parseAllocators('dlmalloc, fast', kAllocatorNames)).toEqual(['fast', 'dlmalloc']);
});
