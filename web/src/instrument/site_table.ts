// The section heapglass.sites: where each call that sets the context stands, in the instrumented module and in the original.
//
//   LEB128: calls | for each, in the order of the module: offset here - the one before | function there, as it differs from the
//   one before | offset there - the one before          (differences that may be negative are doubled, plus 1 when they are)
//
//   T1  Tools between the original and the pass keep a function's reached calls in their order (function_body.ts: F1), and keep functions
//       in their order: what they add comes behind, imports before. A function whose calls are not so many as the original's has
//       calls without a place: original -1.

// Not by the room's index: a page that loads an instrumented module needs no symbolizer.
import { ByteReader, unsignedLeb } from '../symbols/byte_reader.ts';
import type { CallSite } from '../symbols/function_body.ts';
import { kOp } from '../symbols/instructions.ts';
import type { WasmModule } from '../symbols/wasm_module.ts';

/** The section, empty, of a module that puts its context back after exceptions (shadow_stack.ts, S7). */
export const kCaughtSection = 'heapglass.caught';
export const kSiteSection = 'heapglass.sites';

/** context in a call = context in which it stands * kFactor + its number (shadow_stack.ts). Odd, a prime near 2^32 / golden ratio. */
export const kFactor = 2654435761;

export interface PlacedCall {
  /** Offset in the instrumented file. */
  readonly at: number;
  /** Function and offset in the original file; -1 when it has no such call. */
  readonly function: number;
  readonly original: number;
}

/** With the function of the original that it calls, or -1. */
export interface TargetedCall extends PlacedCall {
  readonly target: number;
}

/** A call that sets the context, of an instrumented module. */
export interface NumberedCall extends PlacedCall {
  readonly number: number;
}

/** A call that sets the context, its offset before the pass, and the function that it calls, -1 where that is decided when it runs. */
export interface StackedCall {
  readonly function: number;
  readonly at: number;
  readonly target: number;
}

/** Where `calls` of `module` stand in `original`, and what they call there. */
export function matchCalls(module: WasmModule, original: WasmModule, calls: readonly StackedCall[]): TargetedCall[] {
  const shift = module.imports.length - original.imports.length;
  const places = new Map<number, number>(); // offset there, by offset here
  module.bodies.forEach((body, index) => {
    const here = body.calls.filter((call) => call.reached && !isOfRecorder(module, call));
    const there = original.bodies[index]?.calls.filter((call) => call.reached) ?? [];
    if (here.length !== there.length) return;
    here.forEach((call, nth) => {
      places.set(call.at, there[nth]?.at ?? -1);
    });
  });
  const inOriginal = (index: number): number => {
    const body = index - module.imports.length;
    return body >= 0 && body < original.bodies.length ? index - shift : -1;
  };
  return calls.map(({ function: index, at, target }) => ({
    at: 0,
    function: inOriginal(index),
    original: places.get(at) ?? -1,
    target: inOriginal(target),
  }));
}

export const isOfRecorder = (module: WasmModule, { op, target }: CallSite): boolean =>
  op === kOp.call && module.imports[target]?.module === 'heapglass';

export function writeSiteTable(calls: readonly PlacedCall[]): Uint8Array {
  const bytes: number[] = unsignedLeb(calls.length);
  let last: PlacedCall = { at: 0, function: 0, original: 0 };
  for (const call of calls) {
    bytes.push(
      ...unsignedLeb(call.at - last.at),
      ...zigzag(call.function - last.function),
      ...zigzag(call.original - last.original),
    );
    last = call;
  }
  return Uint8Array.from(bytes);
}

export function readSiteTable(bytes: Uint8Array): NumberedCall[] {
  const reader = new ByteReader(bytes);
  const calls: NumberedCall[] = [];
  let last: NumberedCall = { at: 0, function: 0, original: 0, number: 0 };
  for (let left = reader.unsigned(); left > 0; --left) {
    last = {
      at: last.at + reader.unsigned(),
      function: last.function + unfolded(reader.unsigned()),
      original: last.original + unfolded(reader.unsigned()),
      number: last.number + 1,
    };
    calls.push(last);
  }
  return calls;
}

const zigzag = (value: number): number[] => unsignedLeb(folded(value));

/** A number that may be negative as one that is not, and back. */
export const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
export const unfolded = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2);
