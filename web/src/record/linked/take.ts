// Taking what a linked program's ring holds, in the JavaScript of whichever thread found it full.
//
//   a thread finds the ring full
//     └▶ heapglass_take: one copy of its records, tail moves      in that thread's own JavaScript, under the lock of the trace
//          ├▶ HEAPGLASS_RECORD (Node): a segment of the file, at once
//          └▶ a packet to the main thread, when someone wants it: direct, or over a BroadcastChannel
//
//  linked.T1  No single event is looked at. A drain copies up to 256 KiB once, twice when it crosses threads.
//  linked.T2  Nothing here throws: it runs inside malloc.
//  linked.T3  The ring is taken when it has as many records as came in a twentieth of a second before, or at the first look at the clock behind
//             that time (batches.ts); it counts as full at each look. So a program that is killed has lost no more, whether or not
//             anything interrupts it (drain_watch.ts).

import { kRecorderStateLayout, kRingLayout } from '../../protocol/event_layout.ts';
import { kEventWords } from '../../trace/trace.ts';
import { ringNumber, ringWord, setTail, type Unread, unreadIn } from '../../wasm/ring.ts';
import { isDue, kFirstBatch, nextBatch, untilLook } from '../batches.ts';
import { couldWrite } from '../file_sink.ts';
import { type NodeProcess, node } from '../node.ts';
import { lostRecord, type TakenPacket } from '../packets.ts';
import { plainSegment } from '../plain_file.ts';
import { isTakeAskedFor, memoryWords } from './program.ts';

/** Where the program has its ring, and what the JavaScript of all threads shares (core/src/abi/recorder_state.h). */
export interface Place {
  readonly ring: number;
  readonly state: number;
}

export type Deliver = (packet: TakenPacket, channel: number) => void;

type StateField = keyof typeof kRecorderStateLayout;

export const stateWord = (words: Uint32Array, place: Place, field: StateField): number =>
  words[(place.state + kRecorderStateLayout[field]) >>> 2] as number;

export function setStateWord(words: Uint32Array, place: Place, field: StateField, value: number): void {
  words[(place.state + kRecorderStateLayout[field]) >>> 2] = value;
}

/** Records in the file so far. */
export const writtenRecords = (words: Uint32Array, place: Place): number =>
  stateWord(words, place, 'writtenLow') + stateWord(words, place, 'writtenHigh') * 2 ** 32;

/** The program's import heapglass_take. */
export function takeAtLook(place: Place, deliver: Deliver): void {
  const head = ringNumber(memoryWords(), place.ring, kRingLayout.headLow);
  if (isTakeAskedFor() || isToBeTaken(head, place)) takeUpTo(head, place, deliver);
}

/** All unread records up to `head`, behind an events_lost when some were overwritten. */
export function takeUpTo(head: number, place: Place, deliver: Deliver): void {
  const words = memoryWords();
  if (head <= ringNumber(words, place.ring, kRingLayout.tailLow)) return;
  const unread = unreadIn(words, place.ring, head);
  setTail(words, place.ring, head);
  setNextBatch(words, place, unread.count);
  const snapshot = ringNumber(words, place.ring, kRingLayout.snapshotLow);
  if (unread.lost > 0 || isSnapshotDue(words, head, snapshot, place)) {
    words[(place.ring + kRingLayout.snapshotDue) >>> 2] = 1;
  }
  const hasFile = stateWord(words, place, 'file') !== 0;
  const isWanted = stateWord(words, place, 'posts') !== 0;
  if (!hasFile && !isWanted) return;
  const records = copyOf(unread, isWanted);
  if (hasFile && node !== undefined) writeSegment(node, words, place, records);
  if (!isWanted) return;
  const sites = stateWord(words, place, 'sites') !== 0;
  const packet = { from: unread.from, count: unread.count, lost: unread.lost, snapshot, records, sites };
  deliver(packet, stateWord(words, place, 'channel'));
}

/** linked.T3. The clock is one that all threads share. */
const sinceTaken = (words: Uint32Array, place: Place): number =>
  (Date.now() - stateWord(words, place, 'takenAt')) >>> 0;

/** From inside malloc, which found the ring full up to this look. False: it goes on up to the next one. */
function isToBeTaken(head: number, place: Place): boolean {
  const words = memoryWords();
  const waiting = head - ringNumber(words, place.ring, kRingLayout.tailLow);
  if (isDue(waiting, stateWord(words, place, 'batch'), sinceTaken(words, place))) return true;
  setNextLook(words, place, waiting);
  return false;
}

function setNextLook(words: Uint32Array, place: Place, waiting: number): void {
  const at = Math.min(waiting + stateWord(words, place, 'look'), stateWord(words, place, 'batch'));
  words[(place.ring + kRingLayout.batch) >>> 2] = at;
}

function setNextBatch(words: Uint32Array, place: Place, events: number): void {
  const elapsed = sinceTaken(words, place);
  const last = stateWord(words, place, 'batch');
  const most = ringWord(words, place.ring, kRingLayout.capacity);
  setStateWord(words, place, 'takenAt', Date.now() >>> 0);
  setStateWord(words, place, 'batch', nextBatch(events, elapsed, last, most));
  setStateWord(words, place, 'look', untilLook(events, elapsed));
  setNextLook(words, place, 0);
}

/** The first time after a few events already. */
export function setFirstBatch(words: Uint32Array, place: Place): void {
  setStateWord(words, place, 'takenAt', Date.now() >>> 0);
  setStateWord(words, place, 'batch', kFirstBatch);
  setStateWord(words, place, 'look', kFirstBatch);
  setNextLook(words, place, 0);
}

/** After so many events as are wished for, but no more often than it doubles what is written. */
function isSnapshotDue(words: Uint32Array, head: number, snapshot: number, place: Place): boolean {
  const every = stateWord(words, place, 'every');
  const size = ringWord(words, place.ring, kRingLayout.snapshotRecords);
  return every > 0 && head - snapshot - size >= Math.max(every, size);
}

function copyOf(unread: Unread, isPacket: boolean): Uint32Array {
  const before = unread.lost > 0 ? kEventWords : 0;
  const records = spaceFor(before + unread.count * kEventWords, isPacket);
  if (before > 0) records.set(lostRecord(unread.lost));
  records.set(unread.runs[0], before);
  records.set(unread.runs[1], before + unread.runs[0].length);
  return records;
}

// A packet's records are its receivers'; what only goes to the file is gone when it was written.
let space: Uint32Array | undefined; // for the latter
function spaceFor(count: number, isPacket: boolean): Uint32Array {
  if (isPacket) return new Uint32Array(count);
  if (space === undefined || space.length < count) space = new Uint32Array(count);
  return space.subarray(0, count);
}

function writeSegment(process: NodeProcess, words: Uint32Array, place: Place, records: Uint32Array): void {
  const first = writtenRecords(words, place);
  if (!couldWrite(process, stateWord(words, place, 'file') - 1, plainSegment(records, first))) {
    setStateWord(words, place, 'file', 0);
    return;
  }
  const next = first + records.length / kEventWords;
  setStateWord(words, place, 'writtenLow', next % 2 ** 32);
  setStateWord(words, place, 'writtenHigh', Math.floor(next / 2 ** 32));
}
