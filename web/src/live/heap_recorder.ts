// A traced heap of JavaScript (createHeap({ trace: true })) as a recorder. It keeps everything, so nothing is ever missing, and
// what is new goes to listeners when it is drained. It makes no snapshot: a feed that begins anew (feed.5) gets all events again.

import type { Packet } from '../record/recorder_types.ts';
import type { LiveRecorder } from './live_recorder.ts';

/** A heap that has its events: what `createHeap({ trace: true })` gives. */
export interface WatchedHeap {
  readonly eventCount: number;
  events(from?: number): Uint8Array<ArrayBuffer>;
  trace(): Uint8Array<ArrayBuffer>;
  /** Writes the proof of the model into the events; without it a live heap is shown unproven. */
  prove?(): void;
}

export function heapRecorder(heap: WatchedHeap): LiveRecorder {
  const delivered = new Map<(packet: Packet) => void, number>(); // events that each listener has

  function deliver(): void {
    for (const [listener, from] of delivered) {
      const records = heap.events(from);
      delivered.set(listener, from + records.byteLength / 16);
      if (records.byteLength > 0) listener({ from, records: new Uint32Array(records.buffer) });
    }
  }

  return {
    subscribe(listener, { from = 0 } = {}) {
      delivered.set(listener, from);
      deliver();
      return () => {
        delivered.delete(listener);
      };
    },
    drain: deliver,
    checkpoint: () => heap.prove?.(), // not heap.checkpoint(): there is one copy to go back to, and it is the program's
  };
}
