// HEAPGLASS_RECORD: the trace file of a linked program. All events go into it as they come, by whichever thread takes them; or, with a
// number to keep, the last ones at the end of the process.
//
//  linked.F1  The process ends on exit or by an exception that nobody caught; a trap is one. Only on exit may the program be called.
//  linked.F2  The file of a process that was killed ends with the last segment, which is at most some 50 ms old (drain_watch.ts); with
//             threads that is so while the main thread is idle.

import { kRingLayout } from '../../protocol/event_layout.ts';
import { encodeEndAlone } from '../../trace/file_parts.ts';
import { ringWord } from '../../wasm/ring.ts';
import { drainWhileBusy } from '../drain_watch.ts';
import { closeTrace, couldWrite, nextPath, notesOf, openTrace } from '../file_sink.ts';
import type { NodeProcess } from '../node.ts';
import type { Packets } from '../packets.ts';
import { fileOfRing, plainFile, plainHeader } from '../plain_file.ts';
import { hasThreads, memoryWords, program } from './program.ts';
import { type Place, setStateWord, stateWord, writtenRecords } from './take.ts';

export interface FileOptions {
  readonly path: string;
  readonly place: Place;
  /** Events go into the file as they come. Else `packets` keeps them. */
  readonly isStreamed: boolean;
  readonly packets: Packets;
  /** Takes what is in the ring and in the queue, without calling the program. */
  takeRest(): void;
  /** The same in the midst of the program's work, where that is possible. */
  takeInterrupting(): void;
  /** Before the end is written. */
  ending(): void;
}

export function recordTo(process: NodeProcess, options: FileOptions): void {
  const place = options.place;
  const path = nextPath(process, options.path);
  const file = openTrace(process, path);
  if (file === undefined) return;
  const of = fileOfRing(memoryWords(), place.ring);
  const notes = notesOf(process);
  if (options.isStreamed) {
    if (couldWrite(process, file, [plainHeader(of, notes)])) setStateWord(memoryWords(), place, 'file', file + 1);
  }
  let isEnded = false;
  const finish = (isWhole: boolean): void => {
    if (isEnded) return;
    isEnded = true;
    options.ending();
    if (isWhole) proveAtEnd(place);
    options.takeRest();
    const words = memoryWords();
    const pieces = options.isStreamed
      ? [encodeEndAlone(writtenRecords(words, place))]
      : plainFile(of, options.packets.parts(0), notes);
    if (!options.isStreamed || stateWord(words, place, 'file') !== 0) couldWrite(process, file, pieces);
    setStateWord(words, place, 'file', 0);
    setStateWord(words, place, 'posts', 0);
    closeTrace(process, file);
  };
  if (options.isStreamed && !hasThreads) {
    drainWhileBusy(process, () => {
      if (!isEnded) options.takeInterrupting();
    });
  }
  process.on('exit', () => finish(true));
  process.on('uncaughtExceptionMonitor', (error) => {
    const isExit = typeof error === 'object' && error !== null && (error as Error).name === 'ExitStatus';
    if (!isExit) finish(false);
  });
}

/** The last events and a checkpoint. */
function proveAtEnd(place: Place): void {
  try {
    if (program.take() === 0) return;
    if (ringWord(memoryWords(), place.ring, kRingLayout.snapshotDue) !== 0) program.snapshot();
    program.checkpoint();
  } catch (_error) {
    // The program cannot be called any more: all events, but no proof at the end.
  }
}
