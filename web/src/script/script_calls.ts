// The calls of a script, made one by one on the worker's heap and passed on.

import type { Addr } from '../base/brand.ts';
import type { Operation, OperationResult } from '../protocol/messages.ts';
import { kMostScriptCalls, type ScriptStep } from '../protocol/scripts.ts';
import { HeldBlocks } from './held_blocks.ts';

/** Makes one call on the worker's heap. */
export type Operate = (operation: Operation) => OperationResult;

/** A call of the script failed; the script may catch it. */
export class ScriptCallError extends Error {
  override readonly name = 'HeapError';
}

export class ScriptCalls {
  readonly blocks = new HeldBlocks();
  readonly #operate: Operate;
  readonly #onStep: (step: ScriptStep) => void;
  #calls = 0;

  constructor(operate: Operate, onStep: (step: ScriptStep) => void) {
    this.#operate = operate;
    this.#onStep = onStep;
  }

  /** SH3 */
  step(step: ScriptStep): void {
    if (++this.#calls > kMostScriptCalls) {
      throw new ScriptCallError(
        `a script may make ${kMostScriptCalls.toLocaleString('en')} calls: this one makes more`,
      );
    }
    this.#onStep(step);
  }

  make(operation: Operation): OperationResult {
    if (this.#calls >= kMostScriptCalls) this.step({ chapter: '' }); // SH3
    const result = this.#operate(operation);
    this.step({ operation, gave: result.mems[0] });
    return result;
  }

  /** SH2 */
  must(call: string, operation: Operation): OperationResult {
    const result = this.make(operation);
    if (!result.ok) throw new ScriptCallError(`${call}: ${result.statusText}`);
    return result;
  }

  /** The block that the call gives. */
  one(call: string, owner: string, operation: Operation): Addr {
    const { mems, statusText } = this.must(call, operation);
    const mem = mems[0];
    if (mem === undefined) throw new ScriptCallError(`${call}: ${statusText}`);
    this.blocks.take(owner, mem);
    return mem;
  }

  many(call: string, owner: string, operation: Operation): Addr[] {
    const { mems } = this.must(call, operation);
    for (const mem of mems) this.blocks.take(owner, mem);
    return [...mems];
  }

  /** The block at `mem` gets another size, and perhaps another place. */
  resized(call: string, owner: string, mem: Addr, operation: Operation): Addr {
    const at = this.must(call, operation).mems[0] ?? mem;
    this.blocks.replace(owner, mem, at);
    return at;
  }
}
