// The measured part of trace_size.mjs: operations to a trace, the trace to files, each by the code that ships.

import { kFormats } from '../../../web/src/convert/formats.ts';
import { replayOperations } from '../../../web/src/replay/traced_replay.ts';
import { Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, encodeTraceFile } from '../../../web/src/trace/trace_file.ts';

export interface Sizes {
  readonly operations: number;
  readonly events: number;
  readonly packedBytes: number;
  readonly plainBytes: number;
  readonly packMs: number;
  readonly openMs: number;
  /** ms of each format that can be written. */
  readonly convertMs: Readonly<Record<string, number>>;
}

/** ms of processor time: a busy machine disturbs it less than the clock. */
async function timed<T>(work: () => T | Promise<T>): Promise<readonly [T, number]> {
  const begin = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(begin);
  return [result, (user + system) / 1000];
}

/** Of a trace of so many events, or of all that there are. */
export async function measureSize(wasm: Uint8Array<ArrayBuffer>, words: Uint32Array, most: number) {
  const { trace, wordSize } = await replayOperations(words, { wasm, most });
  const part = beginningOf(trace, most); // it writes a ring at a time
  return { events: part.count, packedBytes: encodeTraceFile(part, wordSize, {}).byteLength };
}

function beginningOf(trace: Trace, most: number): Trace {
  if (trace.count <= most) return trace;
  const part = new Trace(trace.version);
  for (let event = 0; event < most; ++event)
    part.append(Uint32Array.of(trace.head(event), trace.a(event), trace.b(event), trace.c(event)));
  return part;
}

/** wasm: the traced heap. most: events at most, or a few more. */
export async function measure(wasm: Uint8Array<ArrayBuffer>, words: Uint32Array, most: number): Promise<Sizes> {
  const { trace, wordSize, operations } = await replayOperations(words, { wasm, most });
  const [packed, packMs] = await timed(() => encodeTraceFile(trace, wordSize, {}));
  const plain = encodeTraceFile(trace, wordSize, {}, { plain: true });
  const [opened, openMs] = await timed(() => decodeTraceFile(packed));
  if (!opened.ok || opened.value.trace.count !== trace.count) throw new Error('the file does not give the trace back');
  const convertMs: Record<string, number> = {};
  for (const { name, write } of kFormats) {
    if (write !== undefined) [, convertMs[name]] = await timed(() => write(opened.value));
  }
  const { count } = trace;
  return {
    operations,
    events: count,
    packedBytes: packed.byteLength,
    plainBytes: plain.byteLength,
    packMs,
    openMs,
    convertMs,
  };
}
