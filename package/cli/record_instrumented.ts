// Loaded by `heapglass run` before the program, in each of its threads: instrumented modules get their recorder, and the trace is
// written to the file that HEAPGLASS_RECORD names.
//
//   P1  A linked program writes its own file (package/emscripten/heapglass_recorder.js). Files are counted together: the second gets a
//       number in its name, that of a worker thread the thread's too.
//   P2  Segments are plain, as they are written inside malloc.
//   P3  Of a module with threads there is one file, to which each thread writes what waits when it finds the buffers full, under the
//       recorder's lock. The thread that was first opens and ends it; what others write behind its end is not recorded.
//   P5  HEAPGLASS_KEEP=<n>: about the last n events are kept, and written at the end. With threads all are written, and a line says so.
//   P4  The memory that recorders share is made with the main thread, and threads get it as they begin (environment data).

import { closeSync, openSync, writeSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData, threadId } from 'node:worker_threads';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import type { Taken } from '../../web/src/instrument/recorder_source.ts';
import { makeSharedMemory } from '../../web/src/instrument/shared_layout.ts';
import type { SharedSource } from '../../web/src/instrument/shared_source.ts';
import { encodeEnd, encodeHeader, encodePlainSegment } from '../../web/src/trace/file_parts.ts';
import { kEventWords, kSegmentEvents } from '../../web/src/trace/trace.ts';
import { TraceFileWriter } from '../../web/src/trace/trace_writer.ts';

interface Counted {
  heapglassFiles?: number;
}

const kMemory = 'heapglass.memory';

const wanted = process.env.HEAPGLASS_RECORD;
const wantedEvents = /^[1-9]\d*$/.test(process.env.HEAPGLASS_KEEP ?? '')
  ? Number(process.env.HEAPGLASS_KEEP)
  : undefined;
if (wanted !== undefined) record(wanted);

function record(path: string): void {
  if (isMainThread) setEnvironmentData(kMemory, makeSharedMemory());
  const sharedMemory = () => getEnvironmentData(kMemory) as unknown as WebAssembly.Memory;
  install({
    sharedMemory,
    onRecorder(recorder, shared) {
      if (shared === undefined) recordTo(nextPath(path), recorder);
      else if (shared.file >= 0) recorder.passOn((packet) => writeSegments(shared, packet));
      else beginShared(nextPath(path), recorder, shared);
    },
  });
}

function nextPath(path: string): string {
  const counted = process as Counted;
  const nth = (counted.heapglassFiles ?? 0) + 1;
  counted.heapglassFiles = nth;
  const suffix = `${nth === 1 ? '' : `-${nth}`}${isMainThread ? '' : `-thread${threadId}`}`;
  return suffix === '' ? path : path.replace(/(\.[^./\\]*)?$/, `${suffix}$1`);
}

/** What the file says of the program. */
function notes() {
  const title = (process.argv[1] ?? '').replace(/^.*[/\\]/, '');
  return title === '' ? {} : { title };
}

function recordTo(path: string, recorder: InstrumentedRecorder): void {
  const file = openSync(path, 'w');
  const end = wantedEvents === undefined ? writeAll(file, recorder) : keepLast(file, recorder, wantedEvents);
  process.on('exit', () => {
    recorder.drain();
    end();
    closeSync(file);
  });
}

/** P5; returns what ends the file. */
function keepLast(file: number, recorder: InstrumentedRecorder, events: number): () => void {
  recorder.keep = events;
  return () => couldWrite(file, [recorder.trace(notes())]);
}

function writeAll(file: number, recorder: InstrumentedRecorder): () => void {
  const writer = new TraceFileWriter({ notes: notes() });
  let ended = false;
  const write = (pieces: readonly Uint8Array[]) => {
    if (!ended) ended = !couldWrite(file, pieces);
  };
  recorder.passOn(({ records }) => write(writer.append(records)));
  return () => {
    write(writer.end());
    ended = true;
  };
}

/** P3 */
function beginShared(path: string, recorder: InstrumentedRecorder, shared: SharedSource): void {
  const file = openSync(path, 'w');
  if (wantedEvents !== undefined) console.error('heapglass: with threads all events are written, not the last ones');
  couldWrite(file, [encodeHeader(4, notes(), recorder.version)]);
  shared.file = file;
  recorder.passOn((packet) => writeSegments(shared, packet));
  process.on('exit', () => {
    recorder.drain();
    shared.together(() => {
      const isWhole = shared.file >= 0;
      shared.file = -1;
      if (isWhole) couldWrite(file, [encodeEnd([], shared.taken, 0).subarray(4 * kEventWords)]); // without an index
      closeSync(file);
    });
  });
}

function writeSegments(shared: SharedSource, { from, records }: Taken): void {
  shared.together(() => {
    for (let at = 0; at < records.length && shared.file >= 0; ) {
      const part = records.subarray(at, at + kSegmentEvents * kEventWords);
      if (!couldWrite(shared.file, [encodePlainSegment(part, from + at / kEventWords)])) shared.file = -1;
      at += part.length;
    }
  });
}

function couldWrite(file: number, pieces: readonly Uint8Array[]): boolean {
  try {
    for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    return true;
  } catch (error) {
    console.error(`heapglass: recording ends, the file cannot be written: ${(error as Error).message}`);
    return false;
  }
}
