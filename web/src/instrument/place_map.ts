// The section heapglass.places: where any call stood in the original, for modules whose functions do not keep a context.
//
//   here       | body 1 .............. | body 2 ..... | wrapper | body 4 .....
//   original - here:   -12       -13          -13        none       -31           an entry where it changes, and nowhere else
//
//   LEB128: imports added | for each entry: offset here - the one before | 0: no frame of the program's own (the wrappers), 1: not known,
//   else the difference to the last known original - here, doubled, less 1 when it is negative, plus 2
//
//   As in site_table.ts (T1) calls are matched by their order in a function, and functions by theirs.

import { ByteReader, unsignedLeb } from '../symbols/byte_reader.ts';
import type { WasmModule } from '../symbols/wasm_module.ts';
import { folded, isOfRecorder, type PlacedCall, unfolded } from './site_table.ts';

export const kPlaceSection = 'heapglass.places';

const kOurs = 0;
const kUnknown = 1;
const kFirst = 2;

/** Where a call of function `index`, whose opcode is at `at`, stood in the original; undefined: it is none of the program's. */
export type PlaceOf = (index: number, at: number) => PlacedCall | undefined;

export function writePlaceMap(module: WasmModule, original: WasmModule): Uint8Array {
  const bytes: number[] = unsignedLeb(module.imports.length - original.imports.length);
  let state: number | 'ours' | 'unknown' = 'ours';
  let lastAt = 0;
  let lastShift = 0;
  const change = (at: number, to: typeof state) => {
    if (to === state) return;
    bytes.push(...unsignedLeb(at - lastAt));
    if (typeof to === 'number') {
      bytes.push(...unsignedLeb(folded(to - lastShift) + kFirst));
      lastShift = to;
    } else bytes.push(to === 'ours' ? kOurs : kUnknown);
    state = to;
    lastAt = at;
  };
  module.bodies.forEach((body, index) => {
    const here = body.calls.filter((call) => call.reached);
    const there = original.bodies[index]?.calls.filter((call) => call.reached);
    if (there === undefined || here.some((call) => isOfRecorder(module, call))) change(body.sizeAt, 'ours');
    else if (there.length !== here.length) change(body.sizeAt, 'unknown');
    else for (const [nth, call] of here.entries()) change(call.at, (there[nth]?.at ?? 0) - call.at);
  });
  return Uint8Array.from(bytes);
}

export function readPlaceMap(bytes: Uint8Array): PlaceOf {
  const reader = new ByteReader(bytes);
  const added = reader.unsigned();
  const from: number[] = [];
  const states: (number | 'ours' | 'unknown')[] = [];
  let at = 0;
  let shift = 0;
  while (reader.at < bytes.length) {
    at += reader.unsigned();
    const value = reader.unsigned();
    from.push(at);
    if (value >= kFirst) shift += unfolded(value - kFirst);
    states.push(value === kOurs ? 'ours' : value === kUnknown ? 'unknown' : shift);
  }
  return (index, at) => {
    let low = 0; // entries that begin at or before `at`
    let high = from.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((from[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const state = states[low - 1] ?? 'ours';
    if (state === 'ours') return undefined;
    return { at, function: index - added, original: state === 'unknown' ? -1 : at + state };
  };
}
