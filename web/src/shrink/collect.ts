// Makes an engine collect garbage soon, so that a memory nobody refers to goes back. An engine that is idle may wait for minutes, because it
// counts what is allocated, and nothing is.
//
//   collect.C1  A buffer of the old memory's size is allocated and dropped. Nobody writes to it, so it takes addresses and no memory. V8 then
//       begins to mark; the next ones make it finish. Where no such buffer is to be had, the engine decides by itself.
//   collect.C2  Ends one turn after the old memory is gone, which a registry says; at the latest after kMostTries. To ask a WeakRef for it
//       would keep it: the engine marks what was asked for.

//   collect.C3  detach() leaves the views that somebody kept without elements, as a growth does. An engine that refuses even a growth by
//      nothing leaves them as they were: the program goes on all the same.

const kMostTries = 8;
const kPauseMs = 30;

type RegistryMaker = new (onGone: () => void) => { register(target: object, held: unknown): void };

/** C3 */
export function detach(old: WebAssembly.Memory): void {
  try {
    old.grow(0);
  } catch {} // C3
}

/** Starts it, and returns at once. */
export function collectSoon(old: WebAssembly.Memory, bytes: number): void {
  const Registry = (globalThis as { FinalizationRegistry?: RegistryMaker }).FinalizationRegistry;
  if (typeof setTimeout === 'undefined' || Registry === undefined) return;
  const state = { left: kMostTries };
  const registry = new Registry(() => {
    state.left = Math.min(state.left, 1);
  });
  registry.register(old, undefined);
  again(state, bytes, registry);
}

/** The registry lives as long as somebody refers to it. */
function again(state: { left: number }, bytes: number, registry: unknown): void {
  const timer = setTimeout(() => {
    --state.left;
    if (allocate(bytes) && state.left > 0) again(state, bytes, registry);
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
