// The recording of a linked program on its main thread: what waits when somebody begins to want packets, and what ends with its file.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventKind, kRecorderStateLayout, kRingLayout, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { begin, newSession, type Session, settle } from '../../../web/src/record/linked/session.ts';
import type { Place } from '../../../web/src/record/linked/take.ts';
import { makePackets } from '../../../web/src/record/packets.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';

const kCapacity = 64;
const kPlace: Place = { ring: 1024, state: 2048 };
const kRecords = 4096;
const kLap = 3072;
const kNext = 3080;
type Ending = (error: unknown) => void;
const shared = globalThis as { wasmMemory?: { buffer: ArrayBuffer }; Module?: object };
const files = process as { heapglassFiles?: number };
let folder: string;
let words: Uint32Array;
let session: Session;
let before: { readonly exit: Ending[]; readonly error: Ending[]; readonly files: number | undefined };

const listenersOf = (event: string) => process.listeners(event as 'exit') as Ending[];

/** As the program's glue has it. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-session-'));
  before = {
    exit: listenersOf('exit'),
    error: listenersOf('uncaughtExceptionMonitor'),
    files: files.heapglassFiles,
  };
  files.heapglassFiles = 0;
  shared.wasmMemory = { buffer: new ArrayBuffer(65_536) };
  shared.Module = {};
  words = new Uint32Array(shared.wasmMemory.buffer);
  ring('version', kTraceVersion);
  ring('wordSize', 4);
  ring('capacity', kCapacity);
  ring('records', kRecords);
  words[(kPlace.state + kRecorderStateLayout.next) / 4] = kNext;
  words[(kPlace.state + kRecorderStateLayout.lap) / 4] = kLap;
  words[kNext / 4] = kRecords;
});
afterEach(() => {
  clearInterval(session.timer);
  for (const [event, known] of [
    ['exit', before.exit],
    ['uncaughtExceptionMonitor', before.error],
  ] as const)
    for (const listener of listenersOf(event)) if (!known.includes(listener)) process.removeListener(event, listener);
  if (before.files === undefined) delete files.heapglassFiles;
  else files.heapglassFiles = before.files;
  for (const name of ['KEEP', 'MODE', 'RECORD']) delete process.env[`HEAPGLASS_${name}`];
  delete shared.wasmMemory;
  delete shared.Module;
  rmSync(folder, { recursive: true });
});

function ring(field: keyof typeof kRingLayout, value: number): void {
  words[(kPlace.ring + kRingLayout[field]) / 4] = value;
}
const posts = () => words[(kPlace.state + kRecorderStateLayout.posts) / 4];

/** Events whose a is their number, as the program writes them. */
function write(count: number): void {
  for (let n = 0; n < count; ++n) words.set([EventKind.mark, n, 0, 0], kRecords / 4 + n * 4);
  ring('headLow', count);
  words[kNext / 4] = kRecords + count * 16;
}

function begun(settings: Readonly<Record<string, string>> = {}): Session {
  for (const [name, value] of Object.entries(settings)) process.env[`HEAPGLASS_${name}`] = value;
  session = newSession(makePackets(), () => {
    throw new Error('a program without threads has no channel');
  });
  begin(session, kPlace);
  return session;
}

test('with its file a recording ends: what was written is in it, and the ring is emptied no more', () => {
  const path = join(folder, 'a.trace');
  const { packets } = begun({ RECORD: path, KEEP: '1000', MODE: 'drop' });
  expect(session.timer).toBeDefined(); // a full ring would drop
  write(3);
  const [ending] = listenersOf('uncaughtExceptionMonitor').filter((it) => !before.error.includes(it));
  ending?.({ name: 'ExitStatus' }); // the way in which Emscripten's programs end
  expect([session.timer !== undefined, readFileSync(path).length]).toEqual([true, 0]);
  ending?.(new Error('a trap'));
  expect(session.timer).toBeUndefined();
  const read = decodeTraceFile(readFileSync(path));
  if (!read.ok) throw new Error(read.error.message);
  const { trace, notice } = read.value;
  expect(notice).toBeUndefined();
  expect(Array.from({ length: trace.count }, (_, event) => trace.a(event))).toEqual([0, 1, 2]);
  expect([packets.keep, posts()]).toEqual([1000, 0]);
});

const packet = (from: number, count: number) => ({
  ...{ from, count, lost: 0, snapshot: 0, sites: false },
  records: Uint32Array.from(Array.from({ length: count }, (_, nth) => [EventKind.mark, from + nth, 0, 0]).flat()),
});
const kept = () => {
  const records = session.packets.records(0);
  return Array.from({ length: records.length / 4 }, (_, nth) => records[nth * 4 + 1]);
};

test('packets that wait for their turn still do when one more begins to listen', () => {
  const { packets } = begun();
  expect(posts()).toBe(1);
  packets.accept(packet(0, 2));
  packets.accept(packet(5, 1)); // of another thread
  packets.listen(() => {}, true, 6);
  settle(session);
  packets.accept(packet(2, 3));
  expect(kept()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('after a time in which nobody wanted packets their order begins anew', () => {
  const { packets } = begun();
  packets.accept(packet(0, 2));
  packets.setKeep('none', 2);
  settle(session);
  expect(posts()).toBe(0);
  packets.setKeep('all', 0);
  settle(session);
  expect(posts()).toBe(1);
  packets.accept(packet(10, 2));
  expect(kept()).toEqual([10, 11]);
});
