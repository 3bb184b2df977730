// The recorder of an instrumented module, on JavaScript's side: takes what the recorder module's ring holds.
//
//   full() or drain() ─▶ one copy of what waits (recorder_source.ts) ─▶ packet ─▶ kept, listeners (left_store.ts)
//
//  instr.1  It is the recorder that linked programs have (record/recorder.ts), as far as a foreign heap goes: nothing is ever lost in the
//           ring, so it knows no mode but lossless; there is no walk, so snapshot() and checkpoint() write nothing.
//  instr.2  full() runs inside the program's malloc: listeners may read, copy and post. While it is paused the program still reports every
//           call; nothing of it is kept or passed on but what it left.
//  instr.3  With threads packets are passed on under the lock of the recorder, so they come in order whoever takes them.

import { EventKind } from '../protocol/event_layout.ts';
import { makeRecorder } from '../record/recorder.ts';
import type { Packet, Recorder } from '../record/recorder_types.ts';
import type { Source } from '../record/source.ts';
import type { TraceNotes } from '../trace/file_parts.ts';
import { MarkCode } from '../trace/texts.ts';
import { headOf } from '../trace/trace.ts';
import { joined, TraceFileWriter } from '../trace/trace_writer.ts';
import { LeftStore } from './left_store.ts';
import type { RecorderSource } from './recorder_source.ts';
import { putText } from './site_writer.ts';

/** The recorder of a module that `heapglass instrument` made, or of wrapped exports: its events, for `attach` and for trace files. */
export interface InstrumentedRecorder extends Recorder {
  /**
   * For a file that has everything: from here on this listener has all events, and nothing is kept. Earlier ones, if there are any,
   * another thread has passed on.
   */
  passOn(listener: (packet: Packet) => void): void;
  /** drain() in the midst of the program's work, perhaps inside its malloc: nothing where this recorder is at work itself. */
  drainInterrupting(): void;
}

export function instrumentedRecorder(source: RecorderSource): InstrumentedRecorder {
  const store = new LeftStore();
  const made = sourceOf(source, store);
  const recorder = makeRecorder(made, store, encode);
  return Object.assign(recorder, {
    passOn: (listener: (packet: Packet) => void) => store.passOn(listener),
    drainInterrupting() {
      if (!made.isAtWork) made.drain();
    },
  });
}

function encode(parts: readonly Uint32Array[], notes: TraceNotes): Uint8Array {
  const writer = new TraceFileWriter({ notes });
  const pieces = parts.flatMap((records) => writer.append(records));
  return joined([...pieces, ...writer.end()]);
}

function sourceOf(source: RecorderSource, store: LeftStore): Source & { readonly isAtWork: boolean } {
  let isDraining = false;
  function drain(): void {
    const isOutermost = !isDraining;
    isDraining = true;
    try {
      source.together(() => {
        const taken = source.take();
        if (taken !== undefined) store.accept(taken);
      });
    } finally {
      if (isOutermost) isDraining = false;
    }
  }
  return {
    get isAtWork() {
      return isDraining || source.isHeldHere;
    },
    mode: 'lossless',
    get version() {
      return source.version;
    },
    get count() {
      return source.count;
    },
    get paused() {
      return store.isPaused;
    },
    drain,
    snapshot() {},
    checkpoint() {},
    mark(text) {
      putText(text, (...record) => source.put(...record));
      source.put(headOf(EventKind.mark, 1, MarkCode.named), 0, 0, 0);
    },
    pause() {
      if (store.isPaused) return;
      drain();
      store.pause(source.taken);
    },
    resume() {
      drain();
      store.resume(source.taken);
    },
    together: (_, work) => source.together(work),
    settle() {},
  };
}
