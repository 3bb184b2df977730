// A trace that a program has written, packed in its place: recorders write 16 bytes an event, because they write inside malloc.
//
//   file ── a MiB at a time ──▶ records ──▶ segments of 65,536 events, packed ──▶ file beside it ──▶ its name
//
//   PT1  Of a file that was cut, as that of a killed program is, all that can be read is kept, and it still says that it was cut.
//   PT2  A damaged file, and one that cannot be replaced, stays as it is.

import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { packRecords, TraceFileReader, TraceFileWriter } from '../../web/src/trace/trace_file.ts';

const kRead = 1024 * 1024; // bytes
const kCut = /^the file was cut [^;]*$/;

/** Its bytes then; undefined when it stays as it is. */
export function packTrace(path: string): number | undefined {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    const isPacked = packInto(path, beside);
    if (!isPacked) return undefined;
    renameSync(beside, path);
    return statSync(path).size;
  } catch {
    return undefined; // PT2
  } finally {
    rmSync(beside, { force: true });
  }
}

function packInto(path: string, beside: string): boolean {
  const from = openSync(path, 'r');
  const to = openSync(beside, 'wx');
  try {
    const reader = new TraceFileReader(Number.POSITIVE_INFINITY);
    let writer: TraceFileWriter | undefined;
    const write = (pieces: readonly Uint8Array[] = []) => {
      for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(to, piece, at);
    };
    const chunk = Buffer.alloc(kRead);
    for (let bytes = readSync(from, chunk); bytes > 0; bytes = readSync(from, chunk)) {
      reader.push(chunk.subarray(0, bytes), (records) => {
        if (reader.header === undefined) return;
        writer ??= new TraceFileWriter({ ...reader.header, pack: packRecords });
        write(writer.append(records));
      });
    }
    const rest = reader.finish();
    if (!rest.ok || writer === undefined || (rest.value !== undefined && !kCut.test(rest.value))) return false;
    write(rest.value === undefined ? writer.end() : writer.flush());
    return true;
  } finally {
    closeSync(from);
    closeSync(to);
  }
}
