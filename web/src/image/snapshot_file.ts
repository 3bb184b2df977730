// The bytes of a snapshot: about what lives, and what another module needs to go on with it.
//
//   words   | 'snap' | version | all bytes: low, high | n | r | e |  description    | runs   | contents | events   | crc |
//             0        1         2          3           4   5   6    n bytes of JSON   r        words      4e         last
//                                                                    padded
//
//  snapshot.N1  Little-endian words of 32 bits. The runs are packed (packed_runs.ts); their contents lie one behind the other. Pages of
//      zeros and what nobody reads are in no run.
//  snapshot.N2  The last word is the CRC-32 of all words before it. It is proved before anything of the contents is believed.
//  snapshot.N3  A description says of what the snapshot is, its build's mark, and what lies outside of the memory.
//  snapshot.N4  A checksum is no proof against who computes it again: what the parts say of each other is checked as well, before anything
//      is made.

import { crc32OfWords } from '../trace/crc32.ts';
import { packRuns, unpackRuns } from './packed_runs.ts';
import { contentBytesOf } from './runs.ts';

export interface SnapshotDescription {
  /** A heap of createHeap(), or a linked program. */
  readonly of: 'heap' | 'program';
  readonly mark: number;
  /** Where memory ends that must be there. */
  readonly end: number;
}

export interface SnapshotParts {
  /** Address and bytes, in turn. */
  readonly runs: ArrayLike<number>;
  /** All contents, each run padded to a word. */
  readonly contents: Uint8Array;
  readonly events: Uint32Array;
}

/** Makes the error of whoever asks. */
export type Fail = (
  code: 'bad_snapshot' | 'bad_argument' | 'out_of_memory',
  message: string,
  options?: { readonly cause: unknown },
) => Error;

const kMagic = 0x7061_6e73; // 'snap'
const kVersion = 2;
const kHeadWords = 7;
const kHigh = 2 ** 32;

const wordsOf = (bytes: number): number => Math.ceil(bytes / 4);

/** `write` puts the contents, `contentBytes` of them, into the place that it is given. */
export function encodeSnapshot(
  description: SnapshotDescription,
  runs: ArrayLike<number>,
  events: Uint32Array,
  write: (place: Uint8Array) => void,
  fail: Fail,
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(description));
  const contentWords = contentBytesOf(runs) / 4;
  const runsAt = kHeadWords + wordsOf(text.length);
  const packed = packRuns(runs);
  const contentAt = runsAt + packed.length;
  const eventsAt = contentAt + contentWords;
  const all = wordsFor(eventsAt + events.length + 1, fail);
  const bytes = new Uint8Array(all.buffer);
  all.set([kMagic, kVersion, bytes.length % kHigh, Math.floor(bytes.length / kHigh)]);
  all.set([text.length, packed.length, events.length / 4], 4);
  bytes.set(text, kHeadWords * 4);
  all.set(packed, runsAt);
  write(bytes.subarray(contentAt * 4, eventsAt * 4));
  all.set(events, eventsAt);
  all[all.length - 1] = crc32OfWords(all.subarray(0, -1));
  return bytes;
}

function wordsFor(count: number, fail: Fail): Uint32Array<ArrayBuffer> {
  try {
    return new Uint32Array(count);
  } catch (cause) {
    throw fail('out_of_memory', `no ${4 * count} bytes for the snapshot can be had`, { cause });
  }
}

/** N2. Throws an error (`bad_snapshot`) that says what is wrong. */
export function decodeSnapshot<Description extends SnapshotDescription>(
  given: unknown,
  of: Description['of'],
  fail: Fail,
): Description & SnapshotParts {
  const bad = (message: string): Error => fail('bad_snapshot', message);
  const bytes = bytesOf(given);
  if (bytes === undefined) throw fail('bad_argument', 'a snapshot must be an ArrayBuffer or a view of one');
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
  const parts = partsOf<Description>(all);
  if (parts === undefined) throw bad('the snapshot is damaged: its parts do not fill it');
  if (!runsLieBelow(parts.end, parts.runs)) throw bad('the snapshot is damaged: its runs lie outside of its memory');
  if (parts.of !== of) throw bad(`the snapshot is of a ${parts.of}, and a ${of} cannot go on with it`);
  return parts;
}

/** pre: the checksum is right */
function partsOf<Description>(all: Uint32Array): (Description & SnapshotParts) | undefined {
  const [textBytes = 0, runWords = 0, eventCount = 0] = all.subarray(4, kHeadWords);
  const runsAt = kHeadWords + wordsOf(textBytes);
  const contentAt = runsAt + runWords;
  const eventsAt = all.length - 1 - 4 * eventCount;
  const bytes = new Uint8Array(all.buffer, all.byteOffset, all.byteLength);
  const runs = unpackRuns(all.subarray(runsAt, contentAt));
  const text = new TextDecoder().decode(bytes.slice(kHeadWords * 4, kHeadWords * 4 + textBytes));
  if (contentAt + contentBytesOf(runs) / 4 !== eventsAt) return undefined;
  const description = objectIn(text) as Description | undefined;
  if (description === undefined) return undefined;
  return {
    ...description,
    runs,
    contents: bytes.subarray(contentAt * 4, eventsAt * 4),
    events: all.subarray(eventsAt, -1),
  };
}

/** undefined when the text is no JSON of an object. */
function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** N4: in order, without touching each other's bytes, and below an end that is one. */
function runsLieBelow(end: unknown, runs: ArrayLike<number>): boolean {
  if (typeof end !== 'number' || !Number.isInteger(end) || end > kHigh) return false;
  let before = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const address = runs[i] as number;
    if (address < before) return false;
    before = address + (runs[i + 1] as number);
  }
  return before <= end;
}

function bytesOf(given: unknown): Uint8Array | undefined {
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  return undefined;
}
