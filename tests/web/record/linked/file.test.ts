// The file of a linked program from its begin to its end: what is taken while the program is busy, which ends it, and with what.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  EventKind,
  kRecorderStateLayout,
  kRingLayout,
  kTraceVersion,
} from '../../../../web/src/protocol/event_layout.ts';
import { recordTo } from '../../../../web/src/record/linked/file.ts';
import { type Place, takeUpTo } from '../../../../web/src/record/linked/take.ts';
import type { NodeProcess } from '../../../../web/src/record/node.ts';
import { makePackets } from '../../../../web/src/record/packets.ts';
import { decodeTraceFile } from '../../../../web/src/trace/trace_file.ts';

const kCapacity = 64;
const kRecords = 4096;
const kPlace: Place = { ring: 1024, state: 2048 };
const shared = globalThis as Record<string, unknown>;
const kExports = ['take', 'snapshot', 'checkpoint', 'text', 'mark', 'kept', 'reset', 'pause', 'resume'];
let folder: string;
let words: Uint32Array;
let head: number;
let taken: number; // what the program answers when its ring is to be taken
let called: string[];

const ring = (field: keyof typeof kRingLayout, value: number) => {
  words[(kPlace.ring + kRingLayout[field]) / 4] = value;
};
const stateOf = (field: keyof typeof kRecorderStateLayout) => words[(kPlace.state + kRecorderStateLayout[field]) / 4];

/** As the program's glue has it: its memory, and its functions, which say that they were called. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-linked-'));
  words = new Uint32Array(new ArrayBuffer(65_536));
  head = 0;
  taken = 1;
  called = [];
  shared['wasmMemory'] = { buffer: words.buffer };
  const noting = (name: string) => () => {
    called.push(name);
    return name === 'take' ? taken : 0;
  };
  shared['wasmExports'] = Object.fromEntries(kExports.map((name) => [`hg_recorder_${name}`, noting(name)]));
  for (const name of kExports) shared[`_hg_recorder_${name}`] = () => 0;
  ring('version', kTraceVersion);
  ring('wordSize', 4);
  ring('capacity', kCapacity);
  ring('records', kRecords);
  words[(kPlace.state + kRecorderStateLayout.posts) / 4] = 1;
});
afterEach(() => {
  for (const name of ['wasmMemory', 'wasmExports', ...kExports.map((name) => `_hg_recorder_${name}`)])
    delete shared[name];
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

/** So many more events in the ring, each with its number. */
function write(count: number): void {
  for (let left = count; left > 0; --left, ++head)
    words.set([EventKind.mark, head, 0, 0], kRecords / 4 + (head % kCapacity) * 4);
  ring('headLow', head);
}

/** A program that is recorded in this process, whose events are taken when the recorder asks. */
function recorded(isStreamed: boolean, path = join(folder, 'run.hgtrace')) {
  const listeners: [event: string, listener: (error?: unknown) => void][] = [];
  const drains: (() => void)[] = [];
  const asked: string[] = [];
  const program = Object.assign(Object.create(process) as NodeProcess, {
    argv: ['node', '/home/me/app.js'],
    heapglassFiles: undefined,
    heapglassDrains: drains,
    on: (event: string, listener: () => void) => void listeners.push([event, listener]),
    // A file of tests may run in a thread of its own; the program does not.
    getBuiltinModule: (name: 'fs') =>
      (name as string) === 'worker_threads' ? { isMainThread: true } : process.getBuiltinModule(name),
  });
  const packets = makePackets();
  packets.setKeep('all', 0);
  const take = (how: string) => {
    asked.push(how);
    takeUpTo(head, kPlace, (packet) => packets.accept(packet));
  };
  recordTo(program, {
    path,
    place: kPlace,
    isStreamed,
    packets,
    takeRest: () => take('rest'),
    takeInterrupting: () => take('interrupting'),
    ending: () => void asked.push('ending'),
  });
  const emit = (event: string, error?: unknown) => {
    for (const [name, listener] of listeners) if (name === event) listener(error);
  };
  const file = () => {
    const decoded = decodeTraceFile(readFileSync(path));
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { trace, notes, notice, traceVersion, wordSize } = decoded.value;
    const numbers = Array.from({ length: trace.count }, (_, event) => trace.a(event));
    return { numbers, notes, notice, traceVersion, wordSize };
  };
  return { emit, drains, asked, file, listeners };
}
const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth);
const kWhole = { notes: { title: 'app.js' }, notice: undefined, traceVersion: kTraceVersion, wordSize: 4 };

test('events go into the file while the program is busy, and the end behind them when it exits', () => {
  const { emit, drains, asked, file } = recorded(true);
  expect(stateOf('file')).toBeGreaterThan(0);
  expect(drains).toHaveLength(1);
  write(5);
  drains[0]?.();
  expect(asked).toEqual(['interrupting']);
  expect(file()).toMatchObject({ numbers: upTo(5), notice: expect.stringContaining('cut') }); // its end is to come
  write(3);
  emit('exit');
  expect(asked).toEqual(['interrupting', 'ending', 'rest']);
  expect(file()).toEqual({ numbers: upTo(8), ...kWhole });
  expect([stateOf('file'), stateOf('posts')]).toEqual([0, 0]);
});

test('nothing is taken and nothing is written behind the end', () => {
  const { emit, drains, asked, file } = recorded(true);
  write(2);
  emit('exit');
  const before = [...asked];
  write(2);
  for (const drain of drains) drain();
  emit('exit');
  emit('uncaughtExceptionMonitor', new Error('late'));
  expect(asked).toEqual(before);
  expect(file().numbers).toEqual(upTo(2));
});

test('without a stream the file has what is kept, at the end', () => {
  const { emit, drains, asked, file } = recorded(false);
  expect([drains.length, stateOf('file')]).toEqual([0, 0]);
  write(7);
  emit('exit');
  expect(asked).toEqual(['ending', 'rest']);
  expect(file()).toEqual({ numbers: upTo(7), ...kWhole });
});

test('a program that exits is called for its last events and a proof, and one that died is not', () => {
  const calls = (end: (emit: (event: string, error?: unknown) => void) => void, ringTaken = 1, isDue = 0) => {
    called = [];
    taken = ringTaken;
    ring('snapshotDue', isDue);
    const { emit, file } = recorded(true);
    end(emit);
    return [called.join(' '), file().notice];
  };
  const exits = (emit: (event: string) => void) => emit('exit');
  expect(calls(exits)).toEqual(['take checkpoint', undefined]);
  expect(calls(exits, 1, 1)).toEqual(['take snapshot checkpoint', undefined]);
  expect(calls(exits, 0, 1), 'another thread has the lock').toEqual(['take', undefined]);
  expect(calls((emit) => emit('uncaughtExceptionMonitor', new WebAssembly.RuntimeError('unreachable')))).toEqual([
    '',
    undefined,
  ]);
  expect(calls((emit) => emit('uncaughtExceptionMonitor', 'a text'))).toEqual(['', undefined]);
});

test("what Emscripten throws to exit is no death: the program's exit comes behind it", () => {
  const { emit, asked } = recorded(true);
  emit('uncaughtExceptionMonitor', { name: 'ExitStatus', status: 3 });
  expect(asked).toEqual([]);
  emit('exit');
  expect(asked).toEqual(['ending', 'rest']);
  expect(called).toEqual(['take', 'checkpoint']);
});

test('a program that cannot be called any more has all its events in the file', () => {
  shared['wasmExports'] = {
    hg_recorder_take: () => {
      throw new WebAssembly.RuntimeError('the runtime has ended');
    },
  };
  const { emit, file } = recorded(true);
  write(4);
  emit('exit');
  expect(file()).toEqual({ numbers: upTo(4), ...kWhole });
});

test('where the file cannot be opened nothing is recorded, and a line says so', () => {
  const line = vi.spyOn(console, 'error').mockReturnValue();
  const { listeners, drains } = recorded(true, join(folder, 'none', 'run.hgtrace'));
  expect([listeners, drains, stateOf('file')]).toEqual([[], [], 0]);
  expect(line).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('the file cannot be opened'));
});
