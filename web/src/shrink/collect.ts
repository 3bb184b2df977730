// Makes an engine collect garbage soon, so that a memory nobody refers to goes back. An engine that is idle may wait for minutes, because it
// counts what is allocated, and nothing is.
//
//   collect.C1  A buffer of the old memory's size is allocated and dropped. Nobody writes to it, so it takes addresses and no memory. V8 then
//       begins to mark; the next one makes it finish. Where no such buffer is to be had, the engine decides by itself.
//   collect.C2  Ends when the old memory is gone, and one turn later, in which V8 takes it away; at the latest after kMostTries.

const kMostTries = 5;
const kPauseMs = 20;

interface Reference {
  deref(): unknown;
}
type ReferenceMaker = new (target: object) => Reference;

/** Starts it, and returns at once. */
export function collectSoon(old: WebAssembly.Memory, bytes: number): void {
  const Maker = (globalThis as { WeakRef?: ReferenceMaker }).WeakRef;
  if (Maker === undefined || typeof setTimeout === 'undefined') return;
  again(new Maker(old), bytes, 0, false);
}

function again(reference: Reference, bytes: number, tries: number, gone: boolean): void {
  const timer = setTimeout(() => {
    if (!allocate(bytes) || gone || tries >= kMostTries) return;
    again(reference, bytes, tries + 1, reference.deref() === undefined); // asked last: who asks keeps it for the rest of the turn
  }, kPauseMs) as unknown as { unref?: () => void };
  if (typeof timer === 'object' && timer.unref !== undefined) timer.unref(); // Node: a program that is done ends
}

function allocate(bytes: number): boolean {
  try {
    return new ArrayBuffer(bytes).byteLength === bytes;
  } catch {
    return false;
  }
}
