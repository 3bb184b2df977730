// The recording of a linked program, on the thread that loaded the module: begun inside the first malloc, drained, and settled
// whenever somebody begins or ends to want packets.
//
//  linked.S1  While heapglass_take is on the stack, malloc is too: nothing of the program may be called (`isBusy`).
//  linked.S2  Packets of other threads wait in the main thread's queue while it works. They are not lost, but they are in memory. Under Node
//      records() and the end of the process fetch them; in a page they come when the main thread returns to its event loop.
//  linked.S3  The place of the ring is known from the first event on: it comes from inside the first malloc.

import { kRingLayout } from '../../protocol/event_layout.ts';
import { kEventWords } from '../../trace/trace.ts';
import { ringWord } from '../../wasm/ring.ts';
import { node } from '../node.ts';
import type { Packets, TakenPacket } from '../packets.ts';
import type { Keep } from '../recorder_types.ts';
import { recordTo } from './file.ts';
import { hasThreads, memoryWords, program } from './program.ts';
import { kModes, readSettings } from './settings.ts';
import { type Place, setFirstBatch, setStateWord, stateWord, takeAtLook, takeUpTo } from './take.ts';

const kDrainEvery = 50; // milliseconds, while someone listens

export interface Session {
  readonly packets: Packets;
  /** Where other threads send their packets. */
  readonly channelOf: (id: number) => BroadcastChannel;
  /** What to keep, as the settings said when the module was loaded. */
  readonly keepAtStart: Keep;
  place: Place | undefined; // linked.S3
  isBusy: boolean; // linked.S1
  channel: BroadcastChannel | undefined;
  timer: ReturnType<typeof setInterval> | undefined;
}

/** Throws an Error that names a wrong setting, before the program begins. */
export function newSession(packets: Packets, channelOf: (id: number) => BroadcastChannel): Session {
  const keepAtStart = readSettings().keep;
  packets.setKeep(keepAtStart, 0);
  return { packets, channelOf, keepAtStart, place: undefined, isBusy: false, channel: undefined, timer: undefined };
}

/** Its threads find each other by it. A host without crypto has no channel either. */
const newChannel = (): number =>
  typeof crypto === 'object' ? ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 2) + 1 : 1;

/** The first event; gives the mode. */
export function begin(session: Session, place: Place): number {
  const packets = session.packets;
  const settings = readSettings();
  session.place = place;
  const words = memoryWords();
  words[(place.ring + kRingLayout.mode) >>> 2] = kModes[settings.mode];
  setStateWord(words, place, 'channel', newChannel());
  setFirstBatch(words, place);
  const isChosen = packets.keep !== session.keepAtStart; // by Module.heapglass.keep
  const keep = isChosen ? packets.keep : settings.keep;
  const isStreamed = settings.file !== undefined && typeof keep !== 'number';
  packets.setKeep(isStreamed ? 'none' : keep, 0);
  if (settings.file !== undefined && node !== undefined) {
    const takeRest = (): void => {
      fetchWaiting(session);
      takeUpTo(headNow(place), place, packets.accept);
    };
    const takeInterrupting = (): void => interrupt(session, place);
    const ending = (): void => tick(session, false);
    recordTo(node, { path: settings.file, place, isStreamed, packets, takeRest, takeInterrupting, ending });
  }
  if (hasThreads && typeof BroadcastChannel === 'function') {
    const channel = session.channelOf(stateWord(memoryWords(), place, 'channel'));
    channel.onmessage = (message) => packets.accept(message.data as TakenPacket);
    unref(channel);
    session.channel = channel;
  }
  settle(session);
  return kModes[settings.mode];
}

/** From inside malloc. */
export function take(session: Session, place: Place): void {
  session.isBusy = true;
  try {
    takeAtLook(place, session.packets.accept);
  } finally {
    session.isBusy = false;
  }
}

/**
 * In the midst of the program's work, perhaps inside malloc (record.W1). Not with threads (record.W3).
 */
function interrupt(session: Session, place: Place): void {
  if (session.isBusy) return;
  session.isBusy = true; // linked.S1
  try {
    takeUpTo(headNow(place), place, session.packets.accept);
  } finally {
    session.isBusy = false;
  }
}

export function drain(session: Session): void {
  const place = session.place;
  if (place === undefined || session.isBusy) return;
  fetchWaiting(session);
  if (program.take() === 0) return; // a thread that has died holds the lock
  if (ringWord(memoryWords(), place.ring, kRingLayout.snapshotDue) === 0) return;
  program.snapshot();
  program.take();
}

/** What depends on who wants packets. */
export function settle(session: Session): void {
  const place = session.place;
  const packets = session.packets;
  if (place === undefined) return;
  const words = memoryWords();
  if (packets.wanted && stateWord(words, place, 'posts') === 0) packets.restart();
  setStateWord(words, place, 'posts', packets.wanted ? 1 : 0);
  setStateWord(words, place, 'every', typeof packets.keep === 'number' ? Math.ceil(packets.keep / 2) : 0);
  const isDrop = ringWord(words, place.ring, kRingLayout.mode) === kModes.drop;
  const hasFile = stateWord(words, place, 'file') !== 0;
  tick(session, packets.listeners > 0 || hasFile || (isDrop && packets.wanted));
}

/** Events written so far, without calling the program: it may be inside malloc, or have died there. */
export function headNow(place: Place): number {
  const words = memoryWords();
  const next = words[stateWord(words, place, 'next') >>> 2] as number;
  const lap = stateWord(words, place, 'lap') >>> 2;
  const written = (next - ringWord(words, place.ring, kRingLayout.records)) / (kEventWords * 4);
  return (words[lap] as number) + (words[lap + 1] as number) * 2 ** 32 + written;
}

/** linked.S2 */
function fetchWaiting(session: Session): void {
  const channel = session.channel;
  if (channel === undefined || node === undefined) return;
  const receive = node.getBuiltinModule('worker_threads').receiveMessageOnPort;
  for (let got = receive(channel); got !== undefined; got = receive(channel)) {
    session.packets.accept(got.message as TakenPacket);
  }
}

/** Drains now and then, as long as it is wanted; that keeps no process alive. */
function tick(session: Session, isWanted: boolean): void {
  if (isWanted === (session.timer !== undefined)) return;
  clearInterval(session.timer);
  session.timer = isWanted ? setInterval(() => drain(session), kDrainEvery) : undefined;
  if (session.timer !== undefined) unref(session.timer);
}

/** Of Node. */
function unref(it: object): void {
  const waiting = it as { unref?(): void };
  if (waiting.unref !== undefined) waiting.unref();
}
