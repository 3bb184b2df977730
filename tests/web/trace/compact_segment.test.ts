// Segments that nobody looks at are kept in few bytes, and come back word for word.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { compact, readCompact } from '../../../web/src/trace/compact_segment.ts';
import { kEventWords, kSegmentEvents, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeTrace } from '../../bench/glass/glass.ts';
import { makeEngine } from '../engine/harness.ts';

const { below, next: word } = createRandom(7);
const near = (value: number) => (value + below(2 ** below(20)) - 2 ** below(19)) >>> 0;

/** Words that come again, lie near others, or are anything at all; of `heads` different heads. */
function madeUp(events: number, heads: number): Uint32Array {
  const known = Array.from({ length: heads }, word);
  const recent = [0, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff];
  const pick = () => recent[below(recent.length)] as number;
  return Uint32Array.from({ length: events * kEventWords }, (_, i) => {
    if (i % kEventWords === 0) return known[below(heads)] as number;
    const chosen = [pick, () => near(pick()), word][below(3)] as () => number;
    const value = chosen();
    recent[below(recent.length)] = value;
    return value;
  });
}

describe('a segment', () => {
  test.each([1, 2, 254, 255, 256, 257, 3000])('comes back as it was, with %i different heads', (heads) => {
    for (const events of [0, 1, 2, 5000]) {
      const words = madeUp(events, heads);
      expect(readCompact(compact(words), events)).toEqual(words);
    }
  });

  test('in which two kinds of events take turns, each with its own far addresses, takes three bytes an event', () => {
    const events = 1000;
    const places = [0x1000_0000, 0x7000_0000];
    const words = Uint32Array.from({ length: events * kEventWords }, (_, i) => {
      const kind = Math.floor(i / kEventWords) % 2;
      return [1 + kind, (places[kind] ?? 0) + 1000 * Math.floor(i / kEventWords), 0, 0][i % kEventWords] ?? 0;
    });
    const small = compact(words);
    expect(readCompact(small, events)).toEqual(words);
    expect(small.length / events).toBeLessThan(3.1);
  });

  test('of the story of malloc takes 6.5 bytes an event, where words are 16', async () => {
    const { run, ask } = makeEngine();
    await run('malloc');
    const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace } = decoded.value;
    const events = Math.min(trace.count, kSegmentEvents);
    const words = (trace.segment(0) ?? new Uint32Array(0)).slice(0, events * kEventWords);
    const small = compact(words);
    expect(readCompact(small, events)).toEqual(words);
    expect(small.length / events).toBeLessThan(6.5); // a block of a slab is one event, and its address any of many
  });
});

test('a trace that keeps two segments as words gives the same as one that keeps all, in any order', () => {
  const whole = makeTrace(5 * kSegmentEvents + 999, 3000);
  const small = new Trace(whole.version, 2);
  const last = Math.floor(whole.count / kSegmentEvents);
  for (let n = 0; n <= last; ++n) {
    const words = whole.segment(n)?.subarray(0, (whole.count - n * kSegmentEvents) * kEventWords);
    for (let from = 0; from < (words?.length ?? 0); from += 40_000) {
      small.append(words?.subarray(from, from + 40_000) ?? new Uint32Array(0));
      small.segment(below(n + 1)); // what was looked at is not what is there a moment later
    }
  }
  expect(small.count).toBe(whole.count);
  expect(small.bytes).toBeLessThan(whole.bytes);
  for (let i = 0; i < 40; ++i) {
    const n = below(last + 1);
    expect(Buffer.compare(bytesOf(small, n), bytesOf(whole, n)), `segment ${n}`).toBe(0);
    const event = below(whole.count);
    const wordsOf = (trace: Trace) => [trace.head(event), trace.a(event), trace.b(event), trace.c(event)];
    expect(wordsOf(small)).toEqual(wordsOf(whole));
  }
  expect(small.segment(last + 1)).toBeUndefined();
});

const bytesOf = (trace: Trace, n: number) => new Uint8Array((trace.segment(n) as Uint32Array).buffer);

test('a large trace takes eight segments as words, what was looked at last, and three bytes for each other event', () => {
  const trace = makeTrace(30 * kSegmentEvents, 3000);
  const limit = (newest: number, lookedAt: number) =>
    (newest + lookedAt) * kSegmentEvents * 16 + 3 * (30 - newest) * kSegmentEvents;
  expect(trace.bytes).toBeLessThan(limit(8, 0) + 2 ** 20);
  for (let n = 0; n < 30; ++n) expect(trace.segment(n)?.length).toBe(kSegmentEvents * kEventWords);
  expect(trace.bytes).toBeLessThan(limit(8, 12) + 2 ** 20);
});
