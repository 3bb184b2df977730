// What the tests of stacks share: the two kinds of exceptions, and a fault that they must notice.

import { kOp, readModule } from '../../../web/src/symbols/index.ts';

export const kExceptions: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ['by JavaScript', ['-fexceptions', '-sSUPPORT_LONGJMP=emscripten']],
  ['of wasm', ['-fwasm-exceptions', '-sSUPPORT_LONGJMP=wasm']],
];

/** The last call of each function keeps the context of the one before it: its global.set becomes a drop. */
export function withoutLastContext(bytes: Uint8Array): Uint8Array {
  const module = readModule(bytes);
  const context = module.exports.find(({ name }) => name === 'heapglass_context')?.index ?? 0;
  const spoiled = bytes.slice();
  for (const { calls } of module.bodies) {
    const set = calls.filter(({ at }) => bytes[at - 2] === kOp.globalSet && bytes[at - 1] === context);
    const last = set[set.length - 1];
    if (last !== undefined) spoiled.set([0x1a, 0x01], last.at - 2); // drop, nop
  }
  return spoiled;
}
