// Loaded by `heapglass run` before the program, in each of its threads: instrumented modules get their recorder, and the trace is
// written to the file that HEAPGLASS_RECORD names.
//
//   P1  A linked program writes its own file (web/src/record/linked/file.ts). Files are counted together: the second gets a
//       number in its name, that of a worker thread the thread's too.
//   P2  Segments are plain, as they are written inside malloc.
//   P3  Of a module with threads there is one file, to which each thread writes what waits when it finds the buffers full, under the
//       recorder's lock. The thread that was first opens and ends it; what others write behind its end is not recorded.
//   P5  HEAPGLASS_KEEP=<n>: about the last n events are kept, and written at the end. With threads all are written, and a line says so.
//   P6  Where the file cannot be opened the program runs on, and its events are dropped.
//   P7  What the recorder has taken is in the file at once, and what waits is taken 20 times a second while the thread is idle, 40 times
//       while it is busy (record/drain_watch.ts). So a killed program has written all but the last twentieth of a second; in a thread of
//       its own that is busy, as far as its pace was even.
//   P8  Where handles are made is said by source maps that lie beside the scripts, also for programs that record themselves.
//   P9  With threads it is a thread of its own that takes what waits at that pace: it takes the recorder's lock as any of them does.
//   P4  The memory that recorders share is made with the main thread, and threads get it as they begin (environment data).

import { readFileSync } from 'node:fs';
import {
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  threadId,
  Worker,
  workerData,
} from 'node:worker_threads';
import { sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import type { Taken } from '../../web/src/instrument/recorder_source.ts';
import { makeSharedMemory } from '../../web/src/instrument/shared_layout.ts';
import { lockOf } from '../../web/src/instrument/shared_lock.ts';
import { SharedBuffers, type SharedSource } from '../../web/src/instrument/shared_source.ts';
import { drainWhileBusy } from '../../web/src/record/drain_watch.ts';
import { closeTrace, couldWrite, nextPath, notesOf, openTrace } from '../../web/src/record/file_sink.ts';
import { type NodeProcess, node } from '../../web/src/record/node.ts';
import { plainSegments } from '../../web/src/record/plain_file.ts';
import { encodeEndAlone, encodeHeader, kTraceFileVersion } from '../../web/src/trace/file_parts.ts';
import { TraceFileWriter } from '../../web/src/trace/trace_writer.ts';

const kMemory = 'heapglass.memory';
const kDrainEvery = 50; // milliseconds

const wanted = process.env.HEAPGLASS_RECORD;
const wantedEvents = /^[1-9]\d*$/.test(process.env.HEAPGLASS_KEEP ?? '')
  ? Number(process.env.HEAPGLASS_KEEP)
  : undefined;
if (workerData?.heapglassDrains !== undefined) drainAtPace(workerData.heapglassDrains);
else if (wanted !== undefined && node !== undefined) record(node, wanted);

function record(here: NodeProcess, wantedPath: string): void {
  handleWatch().resolveBy(sourcePlaces(readScript)); // P8
  if (isMainThread) setEnvironmentData(kMemory, makeSharedMemory());
  const sharedMemory = () => getEnvironmentData(kMemory) as unknown as WebAssembly.Memory;
  const path = () => nextPath(here, wantedPath, isMainThread ? '' : `-thread${threadId}`);
  install({
    sharedMemory,
    followsHandles: isMainThread,
    onRecorder(recorder, shared) {
      if (shared === undefined) recordTo(here, path(), recorder);
      else if (shared.file >= 0) recorder.passOn((packet) => writeSegments(here, shared, packet));
      else beginShared(here, path(), recorder, shared);
    },
  });
}

function readScript(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function recordTo(here: NodeProcess, path: string, recorder: InstrumentedRecorder): void {
  const file = openTrace(here, path);
  if (file === undefined) {
    recorder.passOn(() => {}); // P6
    return;
  }
  const write = (pieces: readonly Uint8Array[]) => couldWrite(here, file, pieces);
  const end = wantedEvents === undefined ? writeAll(here, write, recorder) : keepLast(here, write, recorder);
  here.on('exit', () => {
    recorder.drain();
    end();
    closeTrace(here, file);
  });
}

type Write = (pieces: readonly Uint8Array[]) => boolean;

/** P5; returns what ends the file. */
function keepLast(here: NodeProcess, write: Write, recorder: InstrumentedRecorder): () => void {
  recorder.keep = wantedEvents ?? 'all';
  return () => write([recorder.trace(notesOf(here))]);
}

function writeAll(here: NodeProcess, write: Write, recorder: InstrumentedRecorder): () => void {
  const writer = new TraceFileWriter({ notes: notesOf(here) });
  let ended = false;
  const goOn = (pieces: readonly Uint8Array[]) => {
    if (!ended) ended = !write(pieces);
  };
  recorder.passOn(({ records }) => {
    goOn(writer.append(records));
    goOn(writer.flush()); // P7
  });
  setInterval(() => recorder.drain(), kDrainEvery).unref();
  let isEnding = false;
  drainWhileBusy(here, () => {
    if (!isEnding) recorder.drainInterrupting();
  });
  return () => {
    isEnding = true;
    goOn(writer.end());
    ended = true;
  };
}

/** P3 */
function beginShared(here: NodeProcess, path: string, recorder: InstrumentedRecorder, shared: SharedSource): void {
  const file = openTrace(here, path);
  if (file === undefined) {
    recorder.passOn(() => {}); // P6
    return;
  }
  if (wantedEvents !== undefined) console.error('heapglass: with threads all events are written, not the last ones');
  shared.file = couldWrite(here, file, [encodeHeader(4, notesOf(here), recorder.version, kTraceFileVersion)])
    ? file
    : -1;
  recorder.passOn((packet) => writeSegments(here, shared, packet));
  const given = { workerData: { heapglassDrains: shared.memory }, env: {}, execArgv: [], stdout: true, stderr: true };
  new Worker(new URL(import.meta.url), given).unref(); // P9
  here.on('exit', () => {
    recorder.drain();
    shared.together(() => {
      const isWhole = shared.file >= 0;
      shared.file = -1;
      if (isWhole) couldWrite(here, file, [encodeEndAlone(shared.taken)]);
      closeTrace(here, file);
    });
  });
}

/** P9, in that thread. */
function drainAtPace(memory: WebAssembly.Memory): void {
  const here = node;
  if (here === undefined) return;
  const shared = new SharedBuffers(lockOf(memory), memory);
  const drain = () =>
    shared.together(() => {
      const taken = shared.file >= 0 ? shared.take() : undefined;
      if (taken !== undefined) writeSegments(here, shared, taken);
    });
  setInterval(drain, kDrainEvery);
}

function writeSegments(here: NodeProcess, shared: SharedBuffers, { from, records }: Taken): void {
  shared.together(() => {
    if (shared.file < 0) return;
    if (!couldWrite(here, shared.file, plainSegments(records, from))) shared.file = -1;
  });
}
