// Records of a segment, packed: columns of small numbers (columns.ts), deflated. Real programs need 0.5 to 2.3 bytes an event
// (npm run bench:trace-size).

import { deflateSync, Inflate, inflateSync } from 'fflate';
import { columnsOf, kCoding, kMostVarintBytes, recordsOf } from './columns.ts';
import { kEventWords } from './trace.ts';

const kLevel = 3; // 6 saves another tenth, in up to twice the time
const kPushBytes = 8192; // deflate gives 1,032 bytes a byte at most: 8 MiB a push

export interface Packed {
  readonly packed: Uint8Array;
  readonly columnBytes: number;
  /** How the columns were made: kCoding. */
  readonly coding: number;
}

/** Compresses records for a trace file: the `pack` of TraceFileWriter. */
export function packRecords(records: Uint32Array): Packed {
  const columns = columnsOf(records);
  return { packed: deflateSync(columns, { level: kLevel }), columnBytes: columns.length, coding: kCoding.placed };
}

/** undefined when these are not the columns of so many events. */
export function unpackRecords({ packed, columnBytes, coding }: Packed, events: number): Uint32Array | undefined {
  if (columnBytes < events * kEventWords || columnBytes > events * kEventWords * kMostVarintBytes) return undefined;
  const columns = inflateExactly(packed, columnBytes);
  return columns && recordsOf(columns, events, coding);
}

/** undefined when it is not deflated, or becomes more or less. Never holds much more than it should become. */
function inflateExactly(packed: Uint8Array, bytes: number): Uint8Array | undefined {
  return packed.length <= kPushBytes ? inflateSmall(packed, bytes) : inflateLarge(packed, bytes);
}

/** In one step, without the 100 KB of an Inflate: a file may consist of small segments. */
function inflateSmall(packed: Uint8Array, bytes: number): Uint8Array | undefined {
  try {
    const whole = inflateSync(packed, { out: new Uint8Array(bytes + 1) }); // what does not fit is dropped; one more is seen
    return whole.length === bytes ? whole : undefined;
  } catch {
    return undefined;
  }
}

function inflateLarge(packed: Uint8Array, bytes: number): Uint8Array | undefined {
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
