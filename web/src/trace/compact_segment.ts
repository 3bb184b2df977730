// A full segment of a trace in few bytes: what is kept in memory of those that nobody looks at. Two to five bytes an event instead
// of 16, some 20 ns to read one back. (A file's segments are smaller still, and ten times as slow to read: pack.ts.)
//
//   | control | head? a? b? c? | control | ...        an event is a control byte and the bytes that this asks for
//
//   control    7 6   5 4   3 2 1   0
//             +-----+-----+-------+---+    H  0: the head that followed the last event's head last time
//             |  C  |  B  |   A   | H |       1: a byte, the head's number; 255: four bytes follow, a head without a number
//             +-----+-----+-------+---+
//   A  0 the a of the event before   1 of the one before that   2 of the last event of this kind
//      3, 4 one or two bytes more than the first of these   5 two bytes more than the third   6 four bytes, the word itself
//   B, C  0 as the last event of this kind   1, 2 one or two bytes more than that   3 four bytes, the word itself
//
//   Differences are signed; low bytes come first. "Last" and "before" begin anew with each segment, at 0.
//
//   CS1  readCompact(compact(words), events) is words, whatever they are.
//   CS2  No event takes more than kMostBytes.

import { kEventLayout } from '../protocol/event_layout.ts';

const kEventWords = kEventLayout.bytes / 4;
const kNoNumber = 255; // of a head beyond the first 255: its bytes follow each time
const kMostBytes = 1 + 5 + 3 * 4;
const kKinds = 256;

/** What writer and reader alike expect of the next event. */
const makeExpected = () => ({
  follows: new Uint8Array(kNoNumber + 1), // by the number of a head: that of the head behind it, last time
  lastA: new Uint32Array(kKinds),
  lastB: new Uint32Array(kKinds),
  lastC: new Uint32Array(kKinds),
});

export function compact(words: Uint32Array): Uint8Array {
  const out = new Uint8Array((words.length / kEventWords) * kMostBytes);
  const { follows, lastA, lastB, lastC } = makeExpected();
  const numbers = new Map<number, number>();
  let at = 0;
  let last = kNoNumber;
  let before = 0; // the a of the event before, and of the one before that
  let earlier = 0;

  const put = (value: number, bytes: number): void => {
    for (let shift = 0; shift < bytes * 8; shift += 8) out[at++] = value >>> shift;
  };
  /** H, and the bytes of it. */
  const putHead = (head: number): number => {
    let number = numbers.get(head) ?? kNoNumber;
    const isExpected = number !== kNoNumber && follows[last] === number;
    if (!isExpected) put(number, 1);
    if (number === kNoNumber) {
      put(head, 4);
      if (numbers.size < kNoNumber) {
        number = numbers.size;
        numbers.set(head, number);
      }
    }
    follows[last] = number;
    last = number;
    return isExpected ? 0 : 1;
  };
  /** B or C, and the bytes of it. */
  const putNear = (word: number, expected: number): number => {
    const more = (word - expected) | 0;
    if (more === 0) return 0;
    const bytes = more === (more << 24) >> 24 ? 1 : more === (more << 16) >> 16 ? 2 : 4;
    put(bytes === 4 ? word : more, bytes);
    return bytes === 4 ? 3 : bytes;
  };
  /** A, and the bytes of it. */
  const putA = (word: number, ofKind: number): number => {
    if (word === before) return 0;
    if (word === earlier) return 1;
    if (word === ofKind) return 2;
    const more = (word - before) | 0;
    const moreOfKind = (word - ofKind) | 0;
    if (more !== (more << 16) >> 16 && moreOfKind === (moreOfKind << 16) >> 16) {
      put(moreOfKind, 2);
      return 5;
    }
    const near = putNear(word, before);
    return near === 3 ? 6 : near + 2;
  };

  for (let i = 0; i < words.length; i += kEventWords) {
    const head = words[i] as number;
    const a = words[i + 1] as number;
    const b = words[i + 2] as number;
    const c = words[i + 3] as number;
    const kind = head & 0xff;
    const controlAt = at++;
    let control = putHead(head);
    control |= putA(a, lastA[kind] as number) << 1;
    control |= putNear(b, lastB[kind] as number) << 4;
    control |= putNear(c, lastC[kind] as number) << 6;
    out[controlAt] = control;
    earlier = before;
    before = a;
    lastA[kind] = a;
    lastB[kind] = b;
    lastC[kind] = c;
  }
  return out.slice(0, at);
}

/** The words of so many events. */
export function readCompact(from: Uint8Array, events: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(events * kEventWords);
  const { follows, lastA, lastB, lastC } = makeExpected();
  const heads = new Uint32Array(kNoNumber);
  let count = 0;
  let at = 0;
  let last = kNoNumber;
  let before = 0;
  let earlier = 0;

  const byte = (): number => from[at++] as number;
  const one = (): number => (byte() << 24) >> 24;
  const two = (): number => byte() | ((byte() << 24) >> 16);
  const four = (): number => (byte() | (byte() << 8) | (byte() << 16) | (byte() << 24)) >>> 0;
  const near = (code: number, expected: number): number => {
    if (code === 0) return expected;
    if (code === 3) return four();
    return (expected + (code === 1 ? one() : two())) >>> 0;
  };

  for (let i = 0; i < words.length; i += kEventWords) {
    const control = byte();
    let number = (control & 1) === 0 ? (follows[last] as number) : byte();
    let head = heads[number] as number;
    if (number === kNoNumber) {
      head = four();
      if (count < kNoNumber) {
        number = count;
        heads[count++] = head;
      }
    }
    follows[last] = number;
    last = number;
    const kind = head & 0xff;
    const code = (control >>> 1) & 7;
    let a: number;
    if (code === 0) a = before;
    else if (code === 1) a = earlier;
    else if (code === 2) a = lastA[kind] as number;
    else if (code === 5) a = ((lastA[kind] as number) + two()) >>> 0;
    else a = near(code === 6 ? 3 : code - 2, before);
    const b = near((control >>> 4) & 3, lastB[kind] as number);
    const c = near(control >>> 6, lastC[kind] as number);
    words[i] = head;
    words[i + 1] = a;
    words[i + 2] = b;
    words[i + 3] = c;
    earlier = before;
    before = a;
    lastA[kind] = a;
    lastB[kind] = b;
    lastC[kind] = c;
  }
  return words;
}
