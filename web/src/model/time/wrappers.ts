// Functions of the program through which it asks for nearly all of its memory: xmalloc, sqlite3MemMalloc, duk_default_alloc_function.
//
//   malloc < duk_default_alloc_function < duk_heap_mem_alloc < duk_hobject_alloc < duk_push_object       who asked: duk_hobject_alloc
//            their names say alloc, half of all calls and more come through them, for many sizes and several functions: they pass on what others ask
//
//   wrappers.W1  Such a frame is marked where a stack is read, and folded as an allocator's is (base/frames.ts). The next one outward is judged
//                in the same way then, so a wrapper around a wrapper is one.
//   wrappers.W2  Neither a name nor figures alone make a wrapper: alloc_node asks for one size, and it says what the memory is for. So does a
//                function of another name, however much it allocates.
//   wrappers.W3  So many calls are looked at, spread evenly over the trace. A trace with few calls has none.

import { frameParts, isFolded, spokenName } from '../../base/frames.ts';

/** A call of the allocator: its frames, innermost first, and what was asked for. */
export interface AskedFor {
  readonly stack: readonly string[]; // one array for all calls of a site
  readonly bytes: number;
}

export const kMostLooked = 16_384; // calls
const kLeastCalls = 200;
const kLeastShare = 1 / 2;
const kCallers = 3; // frames that are looked at for them
const kLeastCallers = 4; // functions
const kLeastSizes = 8;
const kMostLayers = 8;
const kSaysSo = /alloc[^:]*$/i;

/** A function, whatever line or offset in it a frame names. */
export function functionOf(frame: string): string {
  const { name, file } = frameParts(frame);
  return `${name.replace(/:0x[0-9a-f]+$/, '')}@${file}`;
}

/** Their functionOf. */
export function findWrappers(calls: readonly AskedFor[]): ReadonlySet<string> {
  const wrappers = new Set<string>();
  if (calls.length < kLeastCalls) return wrappers;
  const own = ownFunctions(calls);
  const layers = calls.map(({ stack, bytes }) => ({ own: own.get(stack) ?? [], bytes }));
  for (let layer = 0; layer < kMostLayers; ++layer) {
    const found = mostCalled(layers, wrappers);
    if (found === undefined) break;
    wrappers.add(found);
  }
  return wrappers;
}

/** Of each stack, the functions of its frames that are not folded. Few stacks ask for all, and few functions stand in them, so each is read once. */
function ownFunctions(calls: readonly AskedFor[]): ReadonlyMap<readonly string[], readonly string[]> {
  const functions = new Map<string, string>(); // '': it is folded
  const read = (frame: string) => {
    const known = functions.get(frame) ?? (isFolded(frame) ? '' : functionOf(frame));
    functions.set(frame, known);
    return known;
  };
  const own = new Map<readonly string[], readonly string[]>();
  for (const { stack } of calls) {
    const known = own.get(stack) ?? stack.map(read).filter((name) => name !== '');
    own.set(stack, known);
  }
  return own;
}

interface Called {
  calls: number;
  readonly callers: Set<string>;
  readonly sizes: Set<number>;
}

/** The innermost function of most calls, if it is a wrapper. */
function mostCalled(
  calls: readonly { readonly own: readonly string[]; readonly bytes: number }[],
  wrappers: ReadonlySet<string>,
): string | undefined {
  const functions = new Map<string, Called>();
  for (const { own, bytes } of calls) {
    const at = own.findIndex((each) => !wrappers.has(each));
    const innermost = own[at];
    if (innermost === undefined) continue;
    const called = functions.get(innermost) ?? { calls: 0, callers: new Set(), sizes: new Set() };
    functions.set(innermost, called);
    ++called.calls;
    called.sizes.add(bytes);
    for (const caller of own.slice(at + 1, at + 1 + kCallers)) if (caller !== innermost) called.callers.add(caller);
  }
  for (const [name, { calls: count, callers, sizes }] of functions) {
    const passesOn = callers.size >= kLeastCallers && sizes.size >= kLeastSizes; // W2
    if (passesOn && kSaysSo.test(spokenName(frameParts(name).name)) && count >= calls.length * kLeastShare) return name;
  }
  return undefined;
}
