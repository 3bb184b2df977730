// A trace that a program has written, packed in its place: recorders write 16 bytes an event, because they write inside malloc.
//
//   file ── a MiB at a time ──▶ records ──▶ segments of 65,536 events, packed ──▶ file beside it ──▶ its name
//
//   PT1  Of a file that was cut, as that of a killed program is, all that can be read is kept, and it still says that it was cut.
//   PT2  A damaged file, and one that cannot be replaced, stays as it is.

import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { haveCalls } from '../../web/src/trace/no_calls.ts';
import { packRecords, TraceFileReader, TraceFileWriter } from '../../web/src/trace/trace_file.ts';

const kRead = 1024 * 1024; // bytes
const kCut = /^the file was cut [^;]*$/;

export interface PackedTrace {
  /** Of the file. */
  readonly bytes: number;
  /** Of an allocator. */
  readonly hasCalls: boolean;
}

/** undefined: PT2, and what is in it is not known. */
export function packTrace(path: string): PackedTrace | undefined {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    const hasCalls = packInto(path, beside);
    if (hasCalls === undefined) return undefined;
    renameSync(beside, path);
    return { bytes: statSync(path).size, hasCalls };
  } catch {
    return undefined; // PT2
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Whether a call of an allocator is in it. */
function packInto(path: string, beside: string): boolean | undefined {
  const from = openSync(path, 'r');
  const to = openSync(beside, 'wx');
  try {
    const reader = new TraceFileReader(Number.POSITIVE_INFINITY);
    let writer: TraceFileWriter | undefined;
    let hasCalls = false;
    const write = (pieces: readonly Uint8Array[] = []) => {
      for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(to, piece, at);
    };
    const chunk = Buffer.alloc(kRead);
    for (let bytes = readSync(from, chunk); bytes > 0; bytes = readSync(from, chunk)) {
      reader.push(chunk.subarray(0, bytes), (records) => {
        if (reader.header === undefined) return;
        writer ??= new TraceFileWriter({ ...reader.header, pack: packRecords });
        hasCalls ||= haveCalls(records);
        write(writer.append(records));
      });
    }
    const rest = reader.finish();
    if (!rest.ok || (rest.value !== undefined && !kCut.test(rest.value))) return undefined;
    if (reader.header === undefined) return undefined;
    writer ??= new TraceFileWriter(reader.header); // of a file without any record
    write(rest.value === undefined ? writer.end() : writer.flush());
    return hasCalls;
  } finally {
    closeSync(from);
    closeSync(to);
  }
}
