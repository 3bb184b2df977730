// The recorder: what a page or script asks of a program whose events are taken. One for every source and store (source.ts).
//
//  recorder.R1  It looks at no event. Whatever depends on the program is the source's, whatever depends on packets the store's.
//  recorder.R2  Who begins late, or changes what is kept, gets a snapshot where the store does not know the state.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import type { TraceNotes } from '../trace/file_parts.ts';
import type { Keep, Recorder } from './recorder_types.ts';
import { bytesOfWords, joinedWords, type PacketStore, type Source } from './source.ts';

/** A trace file of records. */
export type EncodeFile = (parts: readonly Uint32Array[], notes: TraceNotes) => Uint8Array;

export function makeRecorder(source: Source, store: PacketStore, encode: EncodeFile): Recorder {
  const snapshot = (): void => {
    source.snapshot();
    source.drain();
  };
  return {
    get version() {
      return source.version;
    },
    get mode() {
      return source.mode;
    },
    get count() {
      return source.count;
    },
    get lost() {
      source.drain();
      return store.lost;
    },
    get paused() {
      return source.paused;
    },
    get keep() {
      return store.keep;
    },
    set keep(value: Keep) {
      const keep = keepOf(value);
      source.together('to set keep', () => {
        source.drain();
        store.setKeep(keep, source.count);
        source.settle();
        snapshot();
      });
    },
    drain: () => source.drain(),
    subscribe(listener, options) {
      let end = (): void => {};
      source.together('subscribe', () => {
        source.drain();
        const listening = store.listen(listener, Boolean(options?.past), source.count);
        end = listening.end;
        source.settle();
        if (!listening.known) snapshot();
      });
      return () => {
        end();
        source.settle();
      };
    },
    records(from = 0) {
      source.drain();
      return bytesOfWords(joinedWords(store.parts(from)));
    },
    trace(notes = {}) {
      source.drain();
      return encode(store.parts(0), notes);
    },
    snapshot: () => source.together('snapshot', snapshot),
    checkpoint() {
      source.together('checkpoint', () => {
        source.checkpoint();
        source.drain();
      });
    },
    mark: (text) => source.together('mark', () => source.mark(text)),
    pause: () => source.together('pause', () => source.pause()),
    resume() {
      source.together('resume', () => {
        source.resume();
        source.drain();
      });
    },
  };
}

/** What to keep, of a setting in words too; throws an Error that says what is allowed. */
export function keepOf(value: unknown): Keep {
  if (value === 'all' || value === 'none') return value;
  const events = typeof value === 'boolean' ? 0 : Number(value);
  if (events >= 1 && Number.isSafeInteger(events)) return events;
  return refuse('what to keep,', String(value), "'all', 'none' or a number of events from 1 on");
}

/** Throws an Error that names what is wrong, and what is not. */
export function refuse(what: string, value: string, known: string): never {
  throw new Error(`heapglass: ${what} "${value}" is unknown; it is ${known}`);
}
