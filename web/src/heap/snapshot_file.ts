// The bytes of a snapshot: about what lives, and what another module needs to go on with it.
//
//   words   | 'snap' | version | all bytes: low, high | n | r | e |  description    | runs   | contents | events   | crc |
//             0        1         2          3           4   5   6    n bytes of JSON   2r        padded     4e         last
//                                                                    padded
//
//  snapshot.N1  Little-endian words of 32 bits. A run is an address and a number of bytes; its contents lie one behind the other, each
//      padded to a word. Pages of zeros and free pages are in no run.
//  snapshot.N2  The last word is the CRC-32 of all words before it. It is proved before anything of the contents is believed.
//  snapshot.N3  A description names the profile, the build's mark and where everything lies that JavaScript has a handle for.

import { crc32OfWords } from '../trace/crc32.ts';
import type { Variant } from '../wasm/heap_artefacts.ts';
import { badArgument, shown } from './arguments.ts';
import { HeapError } from './heap_error.ts';
import type { HandleRecord } from './heap_module.ts';

export interface SnapshotDescription {
  readonly profile: Variant;
  readonly mark: number;
  readonly align: number;
  readonly initial?: number;
  readonly maximum?: number;
  /** Where memory ends that must be there. */
  readonly end: number;
  readonly handles: readonly HandleRecord[];
  /** Which of them the snapshot was asked of. */
  readonly asked: number;
}

export interface Snapshot extends SnapshotDescription {
  /** Address and bytes, in turn. */
  readonly runs: ArrayLike<number>;
  /** All contents, each run padded to a word. */
  readonly contents: Uint8Array;
  readonly events: Uint32Array;
}

const kMagic = 0x7061_6e73; // 'snap'
const kVersion = 1;
const kHeadWords = 7;
const kHigh = 2 ** 32;

const wordsOf = (bytes: number): number => Math.ceil(bytes / 4);

/** `write` puts the contents, `contentBytes` of them, into the place that it is given. */
export function encodeSnapshot(
  description: SnapshotDescription,
  runs: ArrayLike<number>,
  events: Uint32Array,
  write: (place: Uint8Array) => void,
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(description));
  const contentWords = contentWordsOf(runs);
  const runsAt = kHeadWords + wordsOf(text.length);
  const contentAt = runsAt + runs.length;
  const eventsAt = contentAt + contentWords;
  const all = wordsFor(eventsAt + events.length + 1);
  const bytes = new Uint8Array(all.buffer);
  all.set([kMagic, kVersion, bytes.length % kHigh, Math.floor(bytes.length / kHigh)]);
  all.set([text.length, runs.length / 2, events.length / 4], 4);
  bytes.set(text, kHeadWords * 4);
  all.set(runs, runsAt);
  write(bytes.subarray(contentAt * 4, eventsAt * 4));
  all.set(events, eventsAt);
  all[all.length - 1] = crc32OfWords(all.subarray(0, -1));
  return bytes;
}

function wordsFor(count: number): Uint32Array<ArrayBuffer> {
  try {
    return new Uint32Array(count);
  } catch (cause) {
    throw new HeapError('out_of_memory', `no ${4 * count} bytes for the snapshot can be had`, { cause });
  }
}

function contentWordsOf(runs: ArrayLike<number>): number {
  let words = 0;
  for (let i = 1; i < runs.length; i += 2) words += wordsOf(runs[i] as number);
  return words;
}

/** N2. Throws a HeapError (`bad_snapshot`) that says what is wrong. */
export function decodeSnapshot(given: unknown): Snapshot {
  const bytes = bytesOf(given);
  const least = 4 * (kHeadWords + 1);
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (at: number): number => (4 * at + 4 <= bytes.length ? head.getUint32(4 * at, true) : 0);
  if (word(0) !== kMagic) throw bad("the bytes are no snapshot: they do not begin with 'snap'");
  if (bytes.length >= 8 && word(1) !== kVersion)
    throw bad(`the snapshot has version ${word(1)}, and this heapglass reads version ${kVersion}`);
  const whole = word(2) + kHigh * word(3); // at least a head and a checksum
  if (bytes.length < Math.max(whole, least))
    throw bad(`the snapshot is cut off: it has ${bytes.length} of ${Math.max(whole, least)} bytes`);
  if (bytes.length > whole) throw bad(`the snapshot has ${whole} bytes, and ${bytes.length} were given`);
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const all = new Uint32Array(aligned.buffer, aligned.byteOffset, whole >>> 2);
  if (whole % 4 !== 0 || crc32OfWords(all.subarray(0, -1)) !== all[all.length - 1])
    throw bad('the snapshot is damaged: its checksum is another one');
  return partsOf(all);
}

/** pre: the checksum is right */
function partsOf(all: Uint32Array): Snapshot {
  const [textBytes = 0, runCount = 0, eventCount = 0] = all.subarray(4, kHeadWords);
  const runsAt = kHeadWords + wordsOf(textBytes);
  const contentAt = runsAt + 2 * runCount;
  const eventsAt = all.length - 1 - 4 * eventCount;
  const bytes = new Uint8Array(all.buffer, all.byteOffset, all.byteLength);
  const runs = all.subarray(runsAt, contentAt);
  const text = new TextDecoder().decode(bytes.slice(kHeadWords * 4, kHeadWords * 4 + textBytes));
  if (contentAt + contentWordsOf(runs) !== eventsAt) throw bad('the snapshot is damaged: its parts do not fill it');
  const description = JSON.parse(text) as SnapshotDescription;
  return {
    ...description,
    runs,
    contents: bytes.subarray(contentAt * 4, eventsAt * 4),
    events: all.subarray(eventsAt, -1),
  };
}

function bytesOf(given: unknown): Uint8Array {
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  throw badArgument(`createHeap: the option from must be the bytes of a snapshot, and is ${shown(given)}`);
}

export const bad = (message: string): HeapError => new HeapError('bad_snapshot', message);
