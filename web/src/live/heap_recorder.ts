// A traced heap of JavaScript (createHeap({ trace: true })) as a recorder. It keeps everything, so nothing is ever missing, and
// it tells its news when it is asked.

import type { Packet } from '../record/recorder_types.ts';
import type { LiveRecorder } from './live_recorder.ts';

/** A heap that tells its events: what `createHeap({ trace: true })` gives. */
export interface WatchedHeap {
  readonly eventCount: number;
  events(from?: number): Uint8Array<ArrayBuffer>;
  trace(): Uint8Array<ArrayBuffer>;
  /** Writes the proof of the model into the events; without it a live heap is shown unproven. */
  checkpoint?(): void;
}

export function heapRecorder(heap: WatchedHeap): LiveRecorder {
  const told = new Map<(packet: Packet) => void, number>(); // events that each listener has
  let left = 0; // events that the listener had who left last: who comes without the past goes on from there

  function tellNews(): void {
    for (const [listener, from] of told) {
      const records = heap.events(from);
      told.set(listener, from + records.byteLength / 16);
      if (records.byteLength > 0) listener({ from, records: new Uint32Array(records.buffer) });
    }
  }

  return {
    subscribe(listener, { past = false } = {}) {
      told.set(listener, past ? 0 : left);
      tellNews();
      return () => {
        left = told.get(listener) ?? left;
        told.delete(listener);
      };
    },
    drain: tellNews,
    checkpoint: () => heap.checkpoint?.(),
  };
}
