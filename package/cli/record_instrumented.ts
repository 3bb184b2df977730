// Loaded by `heapglass run` before the program, in each of its threads: instrumented modules get their recorder, and the trace is
// written to the file that HEAPGLASS_RECORD names.
//
//   P1  A linked program writes its own file (package/emscripten/heapglass_recorder.js). Files are counted together: the second gets a
//       number in its name, that of a worker thread the thread's too.
//   P2  Segments are plain, as they are written inside malloc.

import { closeSync, openSync, writeSync } from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { TraceFileWriter } from '../../web/src/trace/trace_writer.ts';

interface Counted {
  heapglassFiles?: number;
}

const wanted = process.env.HEAPGLASS_RECORD;
if (wanted !== undefined) install((recorder) => recordTo(nextPath(wanted), recorder));

function nextPath(path: string): string {
  const counted = process as Counted;
  const nth = (counted.heapglassFiles ?? 0) + 1;
  counted.heapglassFiles = nth;
  const suffix = `${nth === 1 ? '' : `-${nth}`}${isMainThread ? '' : `-thread${threadId}`}`;
  return suffix === '' ? path : path.replace(/(\.[^./\\]*)?$/, `${suffix}$1`);
}

function recordTo(path: string, recorder: InstrumentedRecorder): void {
  const file = openSync(path, 'w');
  const title = (process.argv[1] ?? '').replace(/^.*[/\\]/, '');
  const writer = new TraceFileWriter({ notes: title === '' ? {} : { title } });
  let ended = false;
  const write = (pieces: readonly Uint8Array[]) => {
    if (ended) return;
    try {
      for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    } catch (error) {
      ended = true;
      console.error(`heapglass: recording ends, the file cannot be written: ${(error as Error).message}`);
    }
  };
  recorder.keep = 'none';
  recorder.subscribe(({ records }) => write(writer.append(records)));
  process.on('exit', () => {
    recorder.drain();
    write(writer.end());
    ended = true;
    closeSync(file);
  });
}
