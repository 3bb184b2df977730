// Packets of a program that writes snapshots of its heaps: put in order, kept within a bound, passed on to listeners. No wasm here.
//
//   base                    snapshots                next
//    | kept ... | kept ...  S ... | kept ... S ...    |     waiting: packets of other threads that came before their turn
//
//  record.K1  What is kept begins where the state is known: at event 0, or with a snapshot.
//  record.K2  With a number to keep at least so many events are kept, and what is before them up to a snapshot. As one is taken after
//      each half of the number, at most one and a half of it.
//  record.K3  A listener that begins late gets nothing before a snapshot: its first packet begins with events_lost and that snapshot.
//  record.K4  Of a packet with `sites` the texts, strings and sites that are defined in it are kept for good (definitions.ts): whatever
//      begins late gets those from before it, between events_lost and the snapshot (event.P5). A packet to a listener says how many
//      records of it they are, as `repeated`.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords } from '../trace/trace.ts';
import { makeDefinitions } from './definitions.ts';
import type { Keep, Packet } from './recorder_types.ts';
import { joinedWords, type Listening, type PacketStore } from './source.ts';

/** Events [from, from + count). */
export interface TakenPacket {
  readonly from: number;
  readonly count: number;
  /** Events before them that were overwritten unread; then the records begin with events_lost. */
  readonly lost: number;
  /** They begin with events_lost although none was: what was before is not known. */
  readonly isBehindGap?: boolean;
  /** The newest snapshot_begun by then. */
  readonly snapshot: number;
  /** It may define texts, strings and sites. */
  readonly sites: boolean;
  readonly records: Uint32Array;
}

export interface Packets extends PacketStore {
  /** Somebody wants packets. */
  readonly wanted: boolean;
  readonly listeners: number;
  /** Order begins anew: packets were not sent for a while. */
  restart(): void;
  accept(packet: TakenPacket): void;
  records(first: number): Uint32Array;
}

interface Listener {
  readonly call: (packet: Packet) => void;
  /** It has what is before; undefined: it waits for a snapshot from `beginsFrom` on. */
  after: number | undefined;
  readonly beginsFrom: number;
  /** Events that its next packet is to say are missing. */
  missing: number;
}

/** In front of a packet's own records. */
export const lostRecord = (count: number): Uint32Array => Uint32Array.of(EventKind.eventsLost, count, 0, 0);

const endOf = (packet: TakenPacket): number => packet.from + packet.count;
const firstOwn = (packet: TakenPacket): number => (packet.lost > 0 || packet.isBehindGap === true ? 1 : 0);

/** The records of a packet from event `first` on. */
const cut = (packet: TakenPacket, first: number): Uint32Array =>
  first <= packet.from
    ? packet.records
    : packet.records.subarray((first - packet.from + firstOwn(packet)) * kEventWords);

export function makePackets(): Packets {
  const order = makeOrder(deliver);
  const kept = makeKept();
  const definitions = makeDefinitions();
  const listeners = new Set<Listener>();
  let lost = 0;

  function deliver(packet: TakenPacket): void {
    lost += packet.lost;
    if (packet.sites) definitions.take(packet.records, packet.from, firstOwn(packet));
    kept.take(packet);
    for (const listener of listeners) pass(listener, packet);
  }

  function pass(listener: Listener, packet: TakenPacket): void {
    if (listener.after === undefined) {
      if (packet.snapshot < listener.beginsFrom) return;
      listener.after = packet.snapshot;
      listener.missing = packet.snapshot;
    }
    if (endOf(packet) <= listener.after) return;
    const rest = cut(packet, listener.after);
    const before = listener.missing > 0 ? definitions.before(listener.after) : [];
    const records = listener.missing > 0 ? joinedWords([lostRecord(listener.missing), ...before, rest]) : rest;
    listener.missing = 0;
    try {
      listener.call({ from: Math.max(packet.from, listener.after), records, repeated: before.length });
    } catch (error) {
      setTimeout(() => {
        throw error; // not into malloc
      }, 0);
    }
  }

  function listen(call: (packet: Packet) => void, past: boolean, head: number): Listening {
    const base = kept.base();
    const known = past && base !== undefined;
    const after = known ? base : head === 0 ? 0 : undefined;
    const listener: Listener = { call, after, missing: after ?? 0, beginsFrom: head };
    if (known) for (const packet of kept.packets()) pass(listener, packet);
    listeners.add(listener);
    return { known, end: () => void listeners.delete(listener) };
  }

  function parts(first: number): Uint32Array[] {
    const begin = Math.max(first, kept.base() ?? kept.beginsFrom());
    const records = kept.packets().filter((packet) => endOf(packet) > begin);
    const cuts = records.map((packet) => cut(packet, begin));
    return begin > first ? [lostRecord(begin - first), ...definitions.before(begin), ...cuts] : cuts;
  }

  return {
    get lost() {
      return lost;
    },
    get keep() {
      return kept.keep();
    },
    get wanted() {
      return kept.keep() !== 'none' || listeners.size > 0;
    },
    get listeners() {
      return listeners.size;
    },
    setKeep: kept.setKeep,
    restart: order.restart,
    accept: order.accept,
    listen,
    parts,
    records: (first) => joinedWords(parts(first)),
  };
}

/** Packets of several threads, in the order of their events. */
function makeOrder(deliver: (packet: TakenPacket) => void) {
  const waiting: TakenPacket[] = [];
  let next: number | undefined; // what the next packet in order begins with; undefined: whatever comes

  const isNext = (packet: TakenPacket | undefined): packet is TakenPacket =>
    packet !== undefined && next !== undefined && packet.from - packet.lost <= next;

  return {
    restart() {
      next = undefined;
      waiting.length = 0;
    },
    accept(packet: TakenPacket) {
      if (next === undefined) next = packet.from - packet.lost;
      if (endOf(packet) <= next) return;
      waiting.push(packet);
      waiting.sort((one, other) => one.from - other.from);
      for (let first = waiting[0]; isNext(first); first = waiting[0]) {
        waiting.shift();
        next = endOf(first);
        deliver(first);
      }
    },
  };
}

/** What is kept (record.K1, record.K2). */
function makeKept() {
  let keep: Keep = 'none';
  let kept: TakenPacket[] = [];
  let base: number | undefined; // of the first kept event; undefined: the next snapshot's from `beginsFrom` on, when something is kept
  let beginsFrom = 0;
  let snapshots: number[] = []; // behind base, rising

  return {
    keep: () => keep,
    base: () => base,
    beginsFrom: () => beginsFrom,
    packets: (): readonly TakenPacket[] => kept,

    /** From event `head` on: from the next snapshot, or from the very first event. */
    setKeep(value: Keep, head: number) {
      if (keep === 'none' || value === 'none') {
        kept = [];
        snapshots = [];
        beginsFrom = head;
        base = head === 0 && value !== 'none' ? 0 : undefined;
      }
      keep = value;
    },

    take(packet: TakenPacket) {
      if (keep === 'none') return;
      if (base === undefined) {
        if (packet.snapshot < beginsFrom) return;
        base = packet.snapshot;
      }
      if (endOf(packet) <= base) return;
      kept.push(packet);
      const newest = snapshots.length > 0 ? (snapshots[snapshots.length - 1] as number) : base;
      if (packet.snapshot > newest) snapshots.push(packet.snapshot);
      if (typeof keep !== 'number') return;
      const before = base;
      const next = endOf(packet);
      while (snapshots.length > 0 && next - (snapshots[0] as number) >= keep) base = snapshots.shift() as number;
      const begin = base;
      if (begin !== before) kept = kept.filter((other) => endOf(other) > begin);
    },
  };
}
