// Which bytes of a fresh instance's memory the wasm file fills: all others are zeros, and nobody needs to read them to know that.
//
//  data.D1  A module that can be exchanged has no start function, so the memory of a fresh instance has its active segments and nothing else.
//      Passive ones are copied by code, which has not run yet.
//  data.D2  Where a segment begins at a global's value, nothing is known of any page (undefined).

import type { ByteReader } from './wasm_bytes.ts';

const kActive = 0;
const kPassive = 1;
const kConstant = 0x41; // i32.const
const kEnd = 0x0b;
const kSign = 0x40;

/** Address and bytes of the active segments, in turn.  pre: the reader stands behind the size of the data section */
export function dataRuns(reader: ByteReader): number[] | undefined {
  const runs: number[] = [];
  for (let left = reader.unsigned(); left > 0; --left) {
    const kind = reader.unsigned();
    if (kind !== kPassive) {
      if (kind !== kActive) reader.skipNumber(); // of the memory: there is one
      const address = constantAddress(reader);
      if (address === undefined) return undefined;
      runs.push(address);
    }
    const bytes = reader.unsigned();
    if (kind !== kPassive) runs.push(bytes);
    reader.at += bytes;
  }
  return runs;
}

function constantAddress(reader: ByteReader): number | undefined {
  if (reader.byte() !== kConstant) return undefined;
  const begin = reader.at;
  const value = reader.unsigned();
  const isNegative = ((reader.bytes[reader.at - 1] as number) & kSign) !== 0;
  if (isNegative && reader.at - begin < 5) return undefined; // within 64 MiB of the end of an address space
  return reader.byte() === kEnd ? value % 2 ** 32 : undefined;
}
