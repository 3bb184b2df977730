// Parts of a wasm file as bytes, and bytes in which some numbers are others.

import { unsignedLeb } from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';

export const customSection = (name: string, content: Uint8Array): Uint8Array =>
  sectionOf(0, [...nameOf(name), ...content]);

export function sectionOf(id: number, content: Uint8Array | readonly number[]): Uint8Array {
  return joined([Uint8Array.from([id, ...unsignedLeb(content.length)]), Uint8Array.from(content)]);
}

/** A text behind its size. */
export function nameOf(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...unsignedLeb(bytes.length), ...bytes];
}

/** How many items, and the items. */
export const listOf = (items: readonly Uint8Array[]): Uint8Array =>
  joined([Uint8Array.from(unsignedLeb(items.length)), ...items]);

/** A number in LEB128 that stands at `at`, and what is to stand there. */
export interface Edit {
  readonly at: number;
  readonly bytes: readonly number[];
}

/** bytes[from, end) with these edits, in any order. */
export function patched(bytes: Uint8Array, from: number, end: number, edits: readonly Edit[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = from;
  for (const edit of edits.toSorted((one, other) => one.at - other.at)) {
    parts.push(bytes.subarray(at, edit.at), Uint8Array.from(edit.bytes));
    at = afterNumber(bytes, edit.at);
  }
  parts.push(bytes.subarray(at, end));
  return parts.length === 1 ? bytes.subarray(from, end) : joined(parts);
}

export function afterNumber(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] ?? 0) >= 0x80) ++at;
  return at + 1;
}
