// A large file is opened slice by slice: to the same trace, answering between slices, and leaving nothing when it is given up.

import { appendFileSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import type { Note, Reply } from '../../../web/src/protocol/messages.ts';
import { headOf } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeTrace } from '../../bench/glass/glass.ts';
import { kWholeMap, makeEngine } from './harness.ts';

const kEvents = 150_000;
const trace = makeTrace(kEvents, 2000);
const plain = encodeTraceFile(trace, 4, { title: 'large' }, { plain: true });
const packed = encodeTraceFile(trace, 4, { title: 'large' });
const smallTrace = makeTrace(5000, 100);
const small = encodeTraceFile(smallTrace, 4, {});

const openingsOf = (notes: readonly Note[]) => notes.flatMap((note) => (note.type === 'opening' ? [note] : []));
const open = (name: string, file: ArrayBuffer | Blob) => ({ type: 'openTrace', name, file }) as const;

test('a file opens to the same frames in slices, packed or plain, from memory or from a Blob', async () => {
  const frames = [];
  for (const file of [plain, packed, new Blob([plain]), new Blob([packed])]) {
    const { ask, frame, notes } = makeEngine();
    const reply = await ask(open('large.hgtrace', file), 'opened');
    expect(reply).toEqual({ type: 'opened', events: trace.count, notice: undefined });
    const timeline = { from: seq(0), to: 'head', columns: 50 } as const;
    const middle = { to: 'seq', seq: seq(kEvents / 2) } as const;
    frames.push([await frame({ map: kWholeMap, timeline }), await frame({ at: middle, map: kWholeMap })]);
    const told = openingsOf(notes);
    expect(told.length).toBeGreaterThan(1);
    for (const [nth, note] of told.entries()) {
      const before = told[nth - 1];
      expect(note).toMatchObject({ name: 'large.hgtrace', of: file instanceof Blob ? file.size : file.byteLength });
      expect(note.read + note.events).toBeGreaterThan((before?.read ?? 0) + (before?.events ?? 0));
      expect([note.read >= (before?.read ?? 0), note.events >= (before?.events ?? 0)]).toEqual([true, true]);
      expect(note.read < note.of || note.events < trace.count).toBe(true); // the last slice is not told: the reply is
    }
  }
  for (const each of frames.slice(1)) expect(each).toEqual(frames[0]);
});

/** An engine that does `between` once, in the pause after its second slice. */
function interrupted(between: (engine: ReturnType<typeof makeEngine>) => Promise<void>) {
  let slices = 0;
  const engine = makeEngine({
    async pause() {
      if (++slices === 2) await between(engine);
    },
  });
  return engine;
}

test('between two slices requests are answered, and show a trace without an event', async () => {
  const seen: number[] = [];
  const engine = interrupted(async ({ frame }) => {
    const { status, map } = await frame({ map: kWholeMap });
    seen.push(status.head, status.inUse, map?.chunks?.count ?? -1);
  });
  expect((await engine.ask(open('large', plain), 'opened')).events).toBe(trace.count);
  expect(seen).toEqual([0, 0, 0]);
  expect((await engine.frame()).status.head).toBe(trace.count);
});

test('an opening that is cancelled leaves an empty trace, says so, and another file opens', async () => {
  const engine = interrupted(async ({ ask }) => {
    await ask({ type: 'stopOpening' }, 'stopped');
  });
  const reply = await engine.ask(open('large.hgtrace', new Blob([plain])), 'opened');
  expect(reply).toEqual({ type: 'opened', events: 0, notice: 'large.hgtrace was not opened: it was cancelled' });
  expect(openingsOf(engine.notes).length).toBe(2); // nothing went on
  const { status } = await engine.frame({ map: kWholeMap });
  expect([status.head, status.heaps, status.damage, status.mismatch]).toEqual([0, [], undefined, undefined]);
  await engine.ask({ type: 'stopOpening' }, 'stopped'); // nothing is being opened: nothing happens
  expect((await engine.ask(open('small', small), 'opened')).events).toBe(smallTrace.count);
});

test.each(['another file', 'a story', 'a stream'])('%s asked for meanwhile is what is shown', async (what) => {
  let other: Reply | undefined;
  const engine = interrupted(async ({ engine: each }) => {
    if (what === 'another file') other = await each.handle(open('small', small));
    else if (what === 'a stream') other = await each.handle({ type: 'openStream', name: 'live' });
    else other = await each.handle({ type: 'runScenario', scenario: 'burst_list', seed: 1 });
  });
  const reply = await engine.ask(open('large', plain), 'opened');
  expect(reply.notice).toBe('large was not opened: it was cancelled');
  expect(other?.type).toBe(what === 'a story' ? 'started' : 'opened');
  while (engine.engine.tick());
  const { status } = await engine.frame();
  if (what === 'a story') expect(status).toMatchObject({ live: true, verifiedAt: status.head });
  else expect(status.head).toBe(what === 'another file' ? smallTrace.count : 0);
});

test('a file that ends in the middle of its slices is opened to there; one that breaks the model too', async () => {
  const cut = makeEngine();
  const reply = await cut.ask(open('cut', plain.slice(0, plain.byteLength - 200_000)), 'opened');
  expect(reply.notice).toMatch(/which lacks [\d,]+ of its events: the first 131,072 events were read/);
  expect(reply.events).toBe(131_072);

  const wrong = makeTrace(100_000, 2000);
  const at = wrong.count;
  wrong.appendEvent(headOf(EventKind.chunkReleased, 1), 0x4, 64, 0);
  for (let n = 0; n < 100_000; ++n) wrong.appendEvent(headOf(EventKind.mark, 0), 0, 0, 0);
  const broken = makeEngine();
  const opened = await broken.ask(open('broken', encodeTraceFile(wrong, 4, {}, { plain: true })), 'opened');
  expect(opened).toEqual({
    type: 'opened',
    events: at,
    notice: `event ${at} does not fit the model: heap 1 has nothing at 4`,
  });
});

test('a file that is changed while it is opened is refused in words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hg-opening-'));
  const path = join(folder, 'changed.hgtrace');
  try {
    writeFileSync(path, new Uint8Array(plain));
    const engine = interrupted(async () => appendFileSync(path, 'more'));
    expect(await engine.refused(open('changed', await openAsBlob(path)))).toBe(
      'changed: the file cannot be read any more: it was moved, changed or taken away',
    );
    expect((await engine.frame()).status).toMatchObject({ head: 0, damage: expect.stringMatching(/^changed: /) });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
