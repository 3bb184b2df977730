// The module's functions for JavaScript, with a trap turned into a HeapError that says which call it was.
//
//   traps.M1  After a trap the instance is dead: every later call throws, with the first trap as its cause. What the module was
//             doing is half done, and in shared memory it may hold the heap's lock, for which the next call would wait for ever.
//   traps.M2  The checked variant says what the mistake was (`misuse`). The others trap only where a mistake led them out of
//             memory, so all that is known is the call (`trap`).
//   traps.M3  A wrapper has as many parameters as its function: 2 ns a call. One with a rest parameter costs 5 ns.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
import { textOf } from '../wasm/compile_wasm.ts';
import type { HeapViews } from '../wasm/heap_views.ts';
import { HeapError } from './heap_error.ts';

type Call = (...args: number[]) => number;

interface Named {
  readonly functions: HeapglassFunctions;
  /** What ended the module; undefined while it lives. */
  death(): HeapError | undefined;
}

export function namingTraps(exports: HeapglassFunctions, views: HeapViews): Named {
  let death: HeapError | undefined;
  const died = (name: string, args: readonly number[], cause: unknown): HeapError => {
    const misuse = views.text(exports.hg_failure_text() >>> 0);
    const call = `${name}(${args.map((word) => word >>> 0).join(', ')})`;
    death = misuse === '' ? trapOf(call, cause) : new HeapError('misuse', misuse, { cause });
    return death;
  };
  const alive = (): void => {
    if (death !== undefined)
      throw new HeapError('dead', `the module trapped before: ${death.message}`, { cause: death });
  };
  const functions = Object.entries(exports as unknown as Record<string, unknown>)
    .filter((entry): entry is [string, Call] => typeof entry[1] === 'function')
    .map(([name, call]) => [name, naming(call, alive, (args, cause) => died(name, args, cause))]);
  return { functions: Object.fromEntries(functions) as unknown as HeapglassFunctions, death: () => death };
}

const trapOf = (call: string, cause: unknown): HeapError => {
  const hint = 'An address that is no block of this heap, or bytes written beyond a block, can lead there';
  return new HeapError(
    'trap',
    `${call} trapped: ${textOf(cause)}. ${hint}; createHeap({ checked: true }) says which. The heap is dead`,
    { cause },
  );
};

/** M3 */
function naming(call: Call, alive: () => void, died: (args: readonly number[], cause: unknown) => HeapError): Call {
  switch (call.length) {
    case 1:
      return (a: number) => {
        alive();
        try {
          return call(a);
        } catch (cause) {
          throw died([a], cause);
        }
      };
    case 2:
      return (a: number, b: number) => {
        alive();
        try {
          return call(a, b);
        } catch (cause) {
          throw died([a, b], cause);
        }
      };
    case 3:
      return (a: number, b: number, c: number) => {
        alive();
        try {
          return call(a, b, c);
        } catch (cause) {
          throw died([a, b, c], cause);
        }
      };
    default:
      return (...args) => {
        alive();
        try {
          return call(...args);
        } catch (cause) {
          throw died(args, cause);
        }
      };
  }
}
