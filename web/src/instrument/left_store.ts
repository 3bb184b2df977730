// What an instrumented module's recorder keeps and passes on. No snapshot can be had of a foreign heap, so where a reader must begin
// anew, the blocks that live are restated from what the events left (left_blocks.ts).
//
//   | not kept: left | kept ... | kept ...          a pause: what comes is not kept, but its blocks are followed
//
//  left.4  Events are read for it as they are dropped, so who keeps all pays nothing for it. The default is to keep all.
//  left.8  What is kept begins with a call: of one that was dropped in part the rest is dropped, too, in however many packets it lies.
//  left.5  passOn() is for a file that has everything: nothing is kept, and nothing is known of what the events left.

import { EventKind } from '../protocol/event_layout.ts';
import type { Keep, Packet } from '../record/recorder_types.ts';
import type { Listening, PacketStore } from '../record/source.ts';
import { kEventWords } from '../trace/trace.ts';
import { LeftBlocks } from './left_blocks.ts';
import type { Taken } from './recorder_source.ts';

interface Pause {
  /** The first event of it. */
  readonly from: number;
  readonly left: LeftBlocks;
}

export class LeftStore implements PacketStore {
  readonly lost = 0;
  readonly #listeners = new Set<(packet: Packet) => void>();
  #kept: Packet[] = [];
  #keptEvents = 0;
  #keep: Keep = 'all';
  #left: LeftBlocks | undefined = new LeftBlocks(); // of what was kept no longer; undefined: not known (left.5)
  #first = 0; // the first event that is kept
  #pause: Pause | undefined;

  get keep(): Keep {
    return this.#keep;
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  accept(taken: Taken): void {
    if (this.#pause === undefined) this.#add(taken);
    else this.#pause.left.take(taken.records);
  }

  setKeep(keep: Keep): void {
    if (keep !== 'none') this.#known();
    this.#keep = keep;
    this.#trim();
  }

  listen(listener: (packet: Packet) => void, past: boolean, head: number): Listening {
    if (past && this.#left !== undefined) for (const packet of this.#all()) listener(packet);
    else if (head > 0) listener(this.#anew(head, head));
    this.#listeners.add(listener);
    return { known: true, end: () => void this.#listeners.delete(listener) };
  }

  parts(from: number): Uint32Array[] {
    const packets = from > this.#first ? this.#kept : this.#all();
    return packets
      .filter((packet) => packet.from + eventsIn(packet) > from)
      .map(({ from: first, records, repeated }) =>
        repeated === undefined ? records.subarray(Math.max(0, from - first) * kEventWords) : records,
      );
  }

  /** left.5: from here on this listener has all events; earlier ones, if there are any, another thread has passed on. */
  passOn(listener: (packet: Packet) => void): void {
    this.#left = undefined;
    this.#keep = 'none';
    this.#kept = [];
    this.#listeners.add(listener);
  }

  /** Events from number `from` on are not kept. */
  pause(from: number): void {
    this.#pause = { from, left: this.#leftNow() };
  }

  /** Events from `head` on are kept again, behind the blocks that live then. */
  resume(head: number): void {
    const from = this.#pause?.from ?? head;
    const packet = head > from ? this.#anew(head, head - from) : undefined;
    this.#pause = undefined;
    if (packet !== undefined) this.#add(packet);
  }

  #add(packet: Packet): void {
    if (this.#left !== undefined) {
      this.#kept.push(packet);
      this.#keptEvents += eventsIn(packet);
      this.#trim();
    }
    for (const listener of this.#listeners) listener(packet);
  }

  /** Drops whole packets. */
  #trim(): void {
    const most = this.#keep === 'all' ? Number.POSITIVE_INFINITY : this.#keep === 'none' ? 0 : this.#keep;
    const left = this.#left;
    if (left === undefined) return;
    this.#dropRestOfCall(left);
    for (let [packet] = this.#kept; packet !== undefined; [packet] = this.#kept) {
      const events = eventsIn(packet);
      if (this.#keptEvents - events < most) return;
      left.take(packet.records);
      this.#first = packet.from + (packet.repeated === undefined ? events : 0);
      this.#kept.shift();
      this.#keptEvents -= events;
      this.#dropRestOfCall(left);
    }
  }

  /** left.8 */
  #dropRestOfCall(left: LeftBlocks): void {
    for (let [packet] = this.#kept; packet !== undefined && left.isInside; [packet] = this.#kept) {
      if (packet.repeated !== undefined) return; // it begins anew
      const words = left.takeToEnd(packet.records);
      const events = words / kEventWords;
      this.#first = packet.from + events;
      this.#keptEvents -= events;
      if (events === eventsIn(packet)) this.#kept.shift();
      else this.#kept[0] = { from: this.#first, records: packet.records.subarray(words) };
    }
  }

  /** What is kept, behind what was before it. */
  #all(): readonly Packet[] {
    if (this.#first === 0 || this.#left === undefined) return this.#kept;
    return [restated(this.#left, this.#first, this.#first), ...this.#kept];
  }

  /** The heap as it is now, behind a loss. */
  #anew(from: number, lost: number): Packet {
    if (this.#left === undefined) return { from, records: Uint32Array.of(EventKind.eventsLost, lost, 0, 0) };
    return restated(this.#pause?.left ?? this.#leftNow(), from, lost);
  }

  #leftNow(): LeftBlocks {
    const left = this.#known().copy();
    for (const { records } of this.#kept) left.take(records);
    return left;
  }

  #known(): LeftBlocks {
    if (this.#left !== undefined) return this.#left;
    throw new Error('heapglass: the events go to a file and were not kept, so it is not known which blocks live');
  }
}

const eventsIn = ({ records }: Packet): number => records.length / kEventWords;

function restated(left: LeftBlocks, from: number, lost: number): Packet {
  const records = left.restated(lost);
  return { from, records, repeated: records.length / kEventWords - 1 };
}
