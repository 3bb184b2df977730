// What the engine shows is what the trace says, at every event; where that cannot be, it says so in the place of it.

import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { Session } from '../../../web/src/engine/session.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import { forEachChunk } from '../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../web/src/model/state/chunk_table.ts';
import { hashModelWalk } from '../../../web/src/model/state/walk_compare.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';
import { badgeOf } from '../../../web/src/shell/status/badge.ts';
import { heapOf, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { kNothing, kWholeMap, makeEngine, partsIn, wanting } from './harness.ts';

async function recorded(scenario: string): Promise<Trace> {
  const { run, ask } = makeEngine();
  await run(scenario);
  const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value.trace;
}

/** A copy with some words changed. */
function changed(trace: Trace, change: (event: number, words: [number, number, number, number]) => void): Trace {
  const copy = new Trace();
  for (let n = 0; n < trace.count; ++n) {
    const words: [number, number, number, number] = [trace.head(n), trace.a(n), trace.b(n), trace.c(n)];
    change(n, words);
    copy.appendEvent(...words);
  }
  return copy;
}

const badge = ({ status }: Frame) => badgeOf(status).badge;
const open = (trace: Trace) => {
  const engine = makeEngine();
  return {
    ...engine,
    opened: engine.ask({ type: 'openTrace', name: 'x', file: encodeTraceFile(trace, 4, {}) }, 'opened'),
  };
};

test('largest free and fragmentation hold at every event, inside operations too', async () => {
  const trace = await recorded('forward_expansion');
  const session = Session.open(trace, 4, {});
  let inside = 0;
  for (let at = 0; at <= trace.count; ++at) {
    const { status } = makeFrame(session, { ...kNothing, at: { to: 'seq', seq: seq(at) } });
    const { state } = session.model.at(at);
    let largest = 0;
    let free = 0;
    for (const segment of state.segments) {
      forEachChunk(state, segment, (_, granule) => {
        if (((state.chunks[granule] ?? 0) & kInUse) !== 0) return;
        largest = Math.max(largest, state.sizeOf(granule));
        free += state.sizeOf(granule);
      });
    }
    if (state.sliver !== 0) free += 8;
    expect([at, status.largestFree, status.freeBytes]).toEqual([at, largest, free]);
    expect(status.fragmentation).toBe(free === 0 ? 0 : 1 - largest / free);
    const heap = state.heaps[0];
    if (heap?.living && heap.top === 0 && heap.victim === 0 && largest > 0) inside += 1;
  }
  expect(inside).toBeGreaterThan(10);
});

test('every checkpoint is compared: one wrong hash in the middle is seen, however right the last is', async () => {
  const trace = await recorded('burst_list');
  const twice = new Trace(); // its checkpoint stands twice: in the middle with a wrong hash, and at the end
  const last = trace.count - 1;
  expect(trace.kind(last)).toBe(EventKind.checkpoint);
  for (let n = 0; n < trace.count; ++n) {
    if (n === 2000) twice.appendEvent(trace.head(last), 0xbad, trace.b(last), 0);
    twice.appendEvent(trace.head(n), trace.a(n), trace.b(n), trace.c(n));
  }
  const wrong = open(twice);
  expect((await wrong.opened).notice).toMatch(/^at the checkpoint of event 2000 the hash of heap 1's walk differs/);
  const frame = await wrong.frame();
  expect(badge(frame)).toBe('mismatch');
  expect(frame.status.verifiedAt).toBe(frame.status.head); // what agreed is still told
  expect(badge(await opened(trace))).toBe('verified');
});

test('where checkpoints are too many to walk for each, the last is compared all the same, with its own moment', async () => {
  const trace = await recorded('burst_list');
  const whole = Session.open(trace, 4, {});
  const proof = trace.head(trace.count - 1);
  const walkAt = (event: number) => hashModelWalk(whole.model.at(event).state, heapOf(proof), trace.version);
  const [crowd, end] = [2000, 2005];
  const { hash, records } = walkAt(crowd);
  const many = Math.ceil(2 ** 22 / (records - 4)) + 100; // V1: 2^22 records, and 4 an event, are not enough for them
  const crowded = (flipped: number) => {
    const copy = new Trace();
    for (let n = 0; n < end; ++n) {
      if (n === crowd) for (let i = 0; i < many; ++i) copy.appendEvent(proof, hash, records, 0);
      copy.appendEvent(trace.head(n), trace.a(n), trace.b(n), trace.c(n));
    }
    const atEnd = walkAt(end);
    copy.appendEvent(proof, atEnd.hash ^ flipped, atEnd.records, 0);
    return Session.open(copy, 4, {});
  };
  const right = crowded(0);
  expect(right.model.history.passedOver, 'the last is passed over').toBe(right.head - 1);
  expect([right.mismatch, right.verified.at(-1)]).toEqual([undefined, right.head]);
  const wrong = crowded(1);
  expect(wrong.mismatch).toMatch(new RegExp(`^at the checkpoint of event ${wrong.head - 1} the hash`));
  expect(wrong.verified.at(-1)).toBeLessThan(wrong.head);
});

async function opened(trace: Trace): Promise<Frame> {
  const engine = open(trace);
  await engine.opened;
  return engine.frame();
}

test('damaged, lost, not yet verified and differing are four badges', async () => {
  const trace = await recorded('burst_list');
  const isProof = (n: number) => trace.kind(n) === EventKind.checkpoint;
  const unproved = changed(trace, (n, words) => {
    if (isProof(n)) words[0] = (words[0] & ~0xff) | EventKind.mark;
  });
  const lost = changed(unproved, (n, words) => {
    if (n === trace.count - 1) words.splice(0, 4, EventKind.eventsLost, 7, 0, 0);
  });
  const differing = changed(trace, (n, words) => {
    if (isProof(n)) words[1] ^= 1;
  });
  const damaged = changed(trace, (n, words) => {
    if (n === 1000) words.splice(0, 4, EventKind.chunkReleased | (1 << 8), 0x4, 64, 0);
  });
  const badges = [];
  for (const one of [trace, unproved, lost, differing, damaged]) badges.push(badge(await opened(one)));
  expect(badges).toEqual(['verified', 'waiting', 'lost', 'mismatch', 'damaged']);

  const cut = makeEngine();
  const file = encodeTraceFile(trace, 4, {}, { plain: true }).slice(0, 40_000);
  await cut.ask({ type: 'openTrace', name: 'cut', file }, 'opened').catch(() => {});
  expect(badge(await cut.frame())).toBe('damaged');
});

test('a damaged file clears the picture of what was open before, a run included', async () => {
  for (const first of ['burst_list', 'forward_expansion']) {
    const { run, ask, frame, refused, engine } = makeEngine();
    if (first === 'burst_list') await run(first);
    else await ask({ type: 'runScenario', scenario: first, seed: 1 }, 'started'); // and is still under way
    const file = encodeTraceFile(await recorded('burst_list'), 4, {});
    new DataView(file).setUint8(9, 0xff);
    expect(await refused({ type: 'openTrace', name: 'other.hgtrace', file })).toMatch(/^other\.hgtrace: /);
    const { status, map } = await frame({ map: kWholeMap });
    expect([status.head, status.heaps, map?.segments, map?.chunks?.count]).toEqual([0, [], [], 0]);
    expect(badgeOf(status).badge).toBe('damaged');
    expect(status.damage).toMatch(/^other\.hgtrace: /);
    expect(engine.tick()).toBe(false);
  }
});

test('a state that cannot be made is said to be none, and the states after it are right', async () => {
  const trace = await recorded('burst_list');
  const session = Session.open(trace, 4, {});
  const at = (n: number) =>
    makeFrame(session, { ...kNothing, ...wanting({ lists: {} }), map: kWholeMap, at: { to: 'seq', seq: seq(n) } });
  const before = at(3000);
  // An event is no longer what it was when it was folded, as if memory had failed: and the nearest way from 3,000 to 2,000 leads past it.
  const words = trace.segment(0) as Uint32Array;
  const event = words.slice(2500 * 4, 2501 * 4);
  words.set([EventKind.chunkReleased | (1 << 8), 0x4, 64, 0], 2500 * 4);
  const unmade = at(2000);
  expect(unmade.status.damage).toMatch(/^the state at event 2,000 cannot be shown: /);
  expect([unmade.status.seq, unmade.map?.chunks?.count, unmade.status.heaps]).toEqual([2000, 0, []]);
  expect(partsIn(unmade)).toEqual({});
  expect(badge(unmade)).toBe('damaged');
  words.set(event, 2500 * 4);
  expect(at(3000)).toEqual(before);
  expect(at(2000).status.damage).toBeUndefined();
});
