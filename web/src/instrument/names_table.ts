// The section heapglass.names: what each call of heapglass.sites is called, by the names and lines that the module had before it was
// instrumented.
//
//   LEB128: texts | for each, its bytes in UTF-8, behind their number
//           for each call, in the order of heapglass.sites: frames | for each, outermost first: function, a text | file, a text's number + 1,
//           0: not known | line, if the file is known
//
//   names.1  A call of which neither name nor line is known has no frames: its number says more, as another module may know it.
//   names.2  A site is then a frame, not a call: two calls in a line are one, as symbols/symbolize_trace.ts makes them.

import { frameAt } from '../base/frames.ts';
import { ByteReader, unsignedLeb } from '../symbols/byte_reader.ts';
import type { SymbolCall, Symbolizer } from '../symbols/symbolizer.ts';
import type { PlacedCall } from './site_table.ts';

export const kNamesSection = 'heapglass.names';

/** What a symbolizer of the original knows. */
export type NamesOf = Symbolizer['calls'];

const isKnown = ({ isNumber, at }: SymbolCall): boolean => isNumber !== true || at !== undefined;

/** undefined: no call has a name. */
export function writeNames(calls: readonly PlacedCall[], namesOf: NamesOf): Uint8Array | undefined {
  const texts = new Map<string, number>();
  const textOf = (text: string): number => {
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const frames: number[] = [];
  for (const call of calls) {
    const named = call.original < 0 ? [] : namesOf(call.function, call.original);
    const isNamed = named.some(isKnown);
    frames.push(...unsignedLeb(isNamed ? named.length : 0)); // names.1
    if (!isNamed) continue;
    for (const { name, at } of named) {
      frames.push(...unsignedLeb(textOf(name)), ...unsignedLeb(at === undefined ? 0 : textOf(at.file) + 1));
      if (at !== undefined) frames.push(...unsignedLeb(at.line));
    }
  }
  if (texts.size === 0) return undefined;
  const bytes: number[] = unsignedLeb(texts.size);
  for (const text of texts.keys()) {
    const encoded = new TextEncoder().encode(text);
    bytes.push(...unsignedLeb(encoded.length), ...encoded);
  }
  return Uint8Array.from([...bytes, ...frames]);
}

/** The frames of a call, outermost first; none: it has no name. */
export type FramesOf = (call: PlacedCall) => readonly string[];

/** `calls`: those of the same module, in order. */
export function readNames(bytes: Uint8Array, calls: readonly PlacedCall[]): FramesOf {
  const reader = new ByteReader(bytes);
  const texts = Array.from({ length: reader.unsigned() }, () => reader.name());
  const frames = new Map<number, readonly string[]>();
  for (const { at } of calls) {
    const of = Array.from({ length: reader.unsigned() }, () => {
      const name = texts[reader.unsigned()] ?? '';
      const file = reader.unsigned();
      return frameAt(name, file === 0 ? undefined : { file: texts[file - 1] ?? '', line: reader.unsigned() });
    });
    if (of.length > 0) frames.set(at, of);
  }
  return ({ at }) => frames.get(at) ?? [];
}
