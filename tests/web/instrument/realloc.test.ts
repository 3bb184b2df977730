// realloc(p, 0) that gives no block has freed p; realloc with a size that gives none has failed and left it. Recorded whole and sampled.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { programTable } from '../../../web/src/convert/program_table.ts';
import { instrument } from '../../../web/src/instrument/instrument.ts';
import type { InstrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../../web/src/instrument/loader.ts';
import { instrumentSampled } from '../../../web/src/instrument/sample.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';

/** An allocator that only goes forward; above 4 KiB it has no memory. */
const kAllocator = `(module (memory (export "memory") 1)
  (global $next (mut i32) (i32.const 1024))
  (func $malloc (export "malloc") (param $size i32) (result i32)
    (if (i32.gt_u (local.get $size) (i32.const 4096)) (then (return (i32.const 0))))
    (global.set $next (i32.add (global.get $next) (i32.const 512)))
    (global.get $next))
  (func $free (export "free") (param i32))
  (func $realloc (export "realloc") (param $from i32) (param $size i32) (result i32)
    (if (i32.eqz (local.get $size)) (then (return (i32.const 0))))
    (call $malloc (local.get $size))))`;

interface Allocator {
  malloc(size: number): number;
  free(address: number): void;
  realloc(address: number, size: number): number;
}

async function recorded(isSampled: boolean, work: (allocator: Allocator) => void): Promise<TraceFile> {
  const module = (await wabt()).parseWat('allocator.wat', kAllocator).toBinary({ write_debug_names: true });
  // One sample in a byte: a block of 256 bytes is left out once in e^256 runs.
  const { binary } = isSampled ? instrumentSampled(binaryen, module.buffer, 1) : instrument(binaryen, module.buffer);
  let recorder: InstrumentedRecorder | undefined;
  const restore = install({
    onRecorder(one) {
      recorder = one;
    },
  });
  try {
    const { instance } = await WebAssembly.instantiate(binary as BufferSource, {});
    work(instance.exports as unknown as Allocator);
    if (recorder === undefined) throw new Error('no recorder');
    const file = decodeTraceFile(recorder.trace());
    if (!file.ok) throw new Error(file.error.message);
    return file.value;
  } finally {
    restore();
  }
}

const freedIn = ({ trace }: TraceFile): number[] =>
  Array.from({ length: trace.count }, (_, event) => event)
    .filter((event) => trace.kind(event) === EventKind.blockFreed)
    .map((event) => trace.a(event));

test.each([
  ['recorded whole', false],
  ['sampled', true],
] as const)(
  '%s: a block that realloc gave back is gone, one that it could not resize is there',
  async (_, isSampled) => {
    let [gone, kept, moved, last] = [0, 0, 0, 0];
    const file = await recorded(isSampled, ({ malloc, realloc }) => {
      [gone, kept, moved] = [malloc(256), malloc(256), malloc(256)];
      expect(realloc(gone, 0)).toBe(0);
      expect(realloc(kept, 1 << 20)).toBe(0);
      last = realloc(moved, 512);
    });
    expect(freedIn(file)).toEqual([gone, moved]);
    const table = programTable(file);
    expect(table.liveBlocks[table.count - 1]).toBe(2);
    expect(table.liveBytes[table.count - 1]).toBe(256 + 512);
    const { leaks, totals } = makeReport(file, { name: 'realloc' });
    expect(leaks).toMatchObject({ blocks: 2, bytes: 256 + 512 });
    if (!isSampled) expect(totals).toMatchObject({ frees: 1, freed_bytes: 256 });
    expect([kept, last].every((address) => address > 0)).toBe(true);
  },
);
