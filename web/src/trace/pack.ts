// Records of a segment, packed: the four words of an event become four columns of small numbers, one after the other, and
// those are deflated. Real programs need 1.4 to 3.3 bytes an event (npm run bench:trace-size), deflate alone 2 to 3.4.
//
//   column 0 | word 0 of each event, as it is                           |   each number as a varint: seven bits a byte,
//   column 1 | a, less the a of the event before                        |   low ones first, the eighth says that more follow;
//   column 2 | b, less the b of the last event of the same kind         |   differences zigzag: 0 -1 1 -2 2 ...
//   column 3 | c, less the c of the last event of the same kind         |
//
//   "Before" and "last" begin anew with each segment, at 0.

import { deflateSync, Inflate } from 'fflate';
import { kEventWords } from './trace.ts';

const kLevel = 3; // 6 saves another tenth, in up to twice the time
const kVarintBytes = 5;
const kPushBytes = 8192; // deflate gives 1,032 bytes a byte at most: 8 MiB a push

export interface Packed {
  readonly packed: Uint8Array;
  readonly columnBytes: number;
}

/** Compresses records for a trace file: the `pack` of TraceFileWriter. */
export function packRecords(records: Uint32Array): Packed {
  const events = records.length / kEventWords;
  const columns = new Uint8Array(records.length * kVarintBytes);
  let at = 0;
  const put = (value: number) => {
    let rest = value >>> 0;
    for (; rest >= 128; rest >>>= 7) columns[at++] = (rest & 127) | 128;
    columns[at++] = rest;
  };
  const putChange = (value: number, before: number) => {
    const change = (value - before) | 0;
    put((change << 1) ^ (change >> 31));
  };
  for (let i = 0; i < records.length; i += kEventWords) put(records[i] as number);
  let before = 0;
  for (let i = 0; i < records.length; i += kEventWords) {
    const value = records[i + 1] as number;
    putChange(value, before);
    before = value;
  }
  for (let column = 2; column < kEventWords; ++column) {
    const last = new Uint32Array(256);
    for (let i = 0; i < events; ++i) {
      const kind = (records[i * kEventWords] as number) & 0xff;
      const value = records[i * kEventWords + column] as number;
      putChange(value, last[kind] as number);
      last[kind] = value;
    }
  }
  return { packed: deflateSync(columns.subarray(0, at), { level: kLevel }), columnBytes: at };
}

/** undefined when these are not the columns of so many events. */
export function unpackRecords({ packed, columnBytes }: Packed, events: number): Uint32Array | undefined {
  if (columnBytes < events * kEventWords || columnBytes > events * kEventWords * kVarintBytes) return undefined;
  const columns = inflateExactly(packed, columnBytes);
  if (columns === undefined) return undefined;
  const records = new Uint32Array(events * kEventWords);
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = columns[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  };
  const takeChanged = (before: number): number => {
    const change = take();
    return (before + ((change >>> 1) ^ -(change & 1))) >>> 0;
  };
  for (let i = 0; i < records.length; i += kEventWords) records[i] = take();
  let before = 0;
  for (let i = 0; i < records.length; i += kEventWords) {
    before = takeChanged(before);
    records[i + 1] = before;
  }
  for (let column = 2; column < kEventWords; ++column) {
    const last = new Uint32Array(256);
    for (let i = 0; i < records.length; i += kEventWords) {
      const kind = (records[i] as number) & 0xff;
      const value = takeChanged(last[kind] as number);
      last[kind] = value;
      records[i + column] = value;
    }
  }
  return at === columnBytes ? records : undefined;
}

/** undefined when it is not deflated, or becomes more or less. Never holds much more than it should become. */
function inflateExactly(packed: Uint8Array, bytes: number): Uint8Array | undefined {
  const whole = new Uint8Array(bytes);
  let count = 0;
  let tooMany = false;
  const inflate = new Inflate((part) => {
    tooMany ||= count + part.length > bytes;
    if (!tooMany) whole.set(part, count);
    count += part.length;
  });
  try {
    for (let from = 0; from < packed.length && !tooMany; from += kPushBytes) {
      inflate.push(packed.subarray(from, from + kPushBytes), from + kPushBytes >= packed.length);
    }
  } catch {
    return undefined;
  }
  return count === bytes ? whole : undefined;
}
