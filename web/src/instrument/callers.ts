// Who of JavaScript called: with --callers a call stack goes on outside of the module, down to the program's own line.
//
//   JavaScript ── an export ─▶ context 0? ── called() ──▶ Error().stack ─▶ its frames as sites ─▶ a number for all of them: the context
//                                                                                               in which the module's calls stand
//
//   callers.1  Asked for when the module is entered and nothing of it runs yet. JavaScript between two of its frames stays left out.
//   callers.2  The glue's frames between program and module say that they are the glue's, unless all are: then it is one script with the
//       program.
//   callers.3  A stack costs the engine some microseconds, each time. What it says is read once.
//   callers.4  A call that ended by a trap left a context: what is entered after it has no caller here. So has what follows an exception
//       up to JavaScript in a module with try_table (shadow_stack.ts, S7).

import { kGlueMark } from '../base/frames.ts';
import { framesOf, type StackFrame, stackText } from '../handles/stack_frames.ts';
import { frameText } from '../handles/watch.ts';
import type { Outer } from './context_book.ts';
import { kFactor } from './site_table.ts';

/** The program's import of the recorder, and the recorder's of the loader. */
export const kCalledName = 'called';
export const kCallerName = 'caller';
export const kCallerImport = `(import "heapglass" "${kCallerName}" (func $caller (result i64)))`;

const kMostFrames = 12; // of JavaScript
const kMostStacks = 10_000; // more are read again
const kBits = 64;
const kOfWasm = /wasm-function\[|\[wasm code\]|\bwasm:/;

/** The site of a frame below another one's, 0 for none. */
export type SiteOfFrame = (parent: number, frame: string) => number;

export class CallerBook {
  readonly #glue: string;
  readonly #siteOfFrame: SiteOfFrame;
  readonly #placed: (frame: StackFrame) => StackFrame;
  readonly #stacks = new Map<string, Outer>();

  /** `glue`: the script that made the instance, '' where that is not known; `placed`: where a frame stands by its source map. */
  constructor(glue: string, siteOfFrame: SiteOfFrame, placed: (frame: StackFrame) => StackFrame) {
    this.#glue = glue;
    this.#siteOfFrame = siteOfFrame;
    this.#placed = placed;
  }

  /** The one that called the module, on whose stack this is called, in so many frames of the engine. */
  here(most?: number): Outer {
    const stack = outside(stackText(0, most));
    const known = this.#stacks.get(stack);
    if (known !== undefined) return known;
    const caller = this.#read(stack);
    if (this.#stacks.size < kMostStacks) this.#stacks.set(stack, caller);
    return caller;
  }

  #read(stack: string): Outer {
    const all = framesOf(stack, kMostFrames);
    const glued = all.findIndex(({ file }) => file !== this.#glue); // callers.2; -1 in one script
    const frames = all.map((frame, nth) => `${nth < glued ? kGlueMark : ''}${frameText(this.#placed(frame))}`);
    const site = frames.reduceRight((parent, frame) => this.#siteOfFrame(parent, frame), 0);
    return { context: contextOf(site), site, frames: frames.length };
  }
}

/** What stands outside of the module: its frames and the recorder's are the innermost ones. */
function outside(stack: string): string {
  const lines = stack.split('\n');
  return lines.slice(lines.findLastIndex((line) => kOfWasm.test(line)) + 1).join('\n');
}

/** Never 0, and as far from others as contexts of calls are. */
const contextOf = (site: number): bigint => BigInt.asUintN(kBits, BigInt(site + 1) * BigInt(kFactor) ** 3n);
