// The four words of each event as four columns of small numbers, which deflate makes small (pack.ts).
//
//   column 0 | word 0 of each event, as it is                  |   each number as a varint: seven bits a byte, low ones first,
//   column 1 | a, less what was expected of it                 |   the eighth says that more follow;
//   column 2 | b, the same                                     |   differences zigzag: 0 -1 1 -2 2 ...
//   column 3 | c, the same                                     |
//
//   By kCoding.placed word_predictor.ts says what is expected; by kCoding.predicted, in files of version 3, the same with fewer sources. By
//   kCoding.differences, in files of version 2, it is of a the a of the event before, of b and c those of the last event of the same
//   kind. All begin anew with each segment, at 0.

import { kEventWords } from './trace.ts';
import { fromZigzag, kSources, WordPredictor, zigzag } from './word_predictor.ts';

export const kCoding = { differences: 0, predicted: 1, placed: 2 } as const;
export const kMostVarintBytes = 5;

const kindIn = (records: Uint32Array, at: number): number => (records[at] as number) & 0xff;

/** By kCoding.placed. */
export function columnsOf(records: Uint32Array): Uint8Array {
  const numbers = new Uint32Array(records.length);
  const events = records.length / kEventWords;
  const predictor = new WordPredictor(kSources.all);
  for (let event = 0, at = 0; event < events; ++event, at += kEventWords) {
    const head = records[at] as number;
    numbers[event] = head;
    predictor.begin(head);
    for (let word = 0; word < kEventWords - 1; ++word) {
      const value = records[at + 1 + word] as number;
      numbers[(word + 1) * events + event] = zigzag(value - predictor.expected(word));
      predictor.learn(word, value);
    }
  }
  return varintsOf(numbers);
}

/** undefined when the bytes are not the columns of so many events. */
export function recordsOf(columns: Uint8Array, events: number, coding: number): Uint32Array | undefined {
  const numbers = numbersOf(columns, events * kEventWords);
  if (numbers === undefined) return undefined;
  if (coding === kCoding.placed) return predictedRecords(numbers, events, kSources.all);
  if (coding === kCoding.predicted) return predictedRecords(numbers, events, kSources.withoutPlaces);
  return coding === kCoding.differences ? differenceRecords(numbers, events) : undefined;
}

function predictedRecords(numbers: Uint32Array, events: number, sources: number): Uint32Array {
  const records = new Uint32Array(numbers.length);
  const predictor = new WordPredictor(sources);
  for (let event = 0, at = 0; event < events; ++event, at += kEventWords) {
    const head = numbers[event] as number;
    records[at] = head;
    predictor.begin(head);
    for (let word = 0; word < kEventWords - 1; ++word) {
      const change = fromZigzag(numbers[(word + 1) * events + event] as number);
      const value = (predictor.expected(word) + change) >>> 0;
      records[at + 1 + word] = value;
      predictor.learn(word, value);
    }
  }
  return records;
}

function differenceRecords(numbers: Uint32Array, events: number): Uint32Array {
  const records = new Uint32Array(numbers.length);
  const last = new Uint32Array(256 * kEventWords);
  let before = 0;
  for (let event = 0, at = 0; event < events; ++event, at += kEventWords) {
    records[at] = numbers[event] as number;
    before = (before + fromZigzag(numbers[events + event] as number)) >>> 0;
    records[at + 1] = before;
    for (let word = 2; word < kEventWords; ++word) {
      const ofKind = kindIn(records, at) * kEventWords + word;
      const value = ((last[ofKind] as number) + fromZigzag(numbers[word * events + event] as number)) >>> 0;
      last[ofKind] = value;
      records[at + word] = value;
    }
  }
  return records;
}

function varintsOf(numbers: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length * kMostVarintBytes);
  let at = 0;
  for (const number of numbers) {
    let rest = number;
    for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
  }
  return bytes.subarray(0, at);
}

function numbersOf(bytes: Uint8Array, count: number): Uint32Array | undefined {
  const numbers = new Uint32Array(count);
  let at = 0;
  for (let nth = 0; nth < count; ++nth) {
    let number = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++] ?? 0;
      number |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    numbers[nth] = number;
  }
  return at === bytes.length ? numbers : undefined;
}
