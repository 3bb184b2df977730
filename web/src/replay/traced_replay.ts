// Operations of a program without its heap, carried out on heapglass's traced malloc: what comes out is a trace, and its
// heap map is what heapglass would have made of that program.
//
//   J1  What heapglass cannot carry out ends the replay with a sentence that names the operation: memory of 4 GiB is
//       full, or an id is not live. What was carried out before it is kept.

import { EventKind } from '../protocol/event_layout.ts';
import { MarkCode, textRecords } from '../trace/texts.ts';
import { headOf, Trace } from '../trace/trace.ts';
import type { WasmSource } from '../wasm/compile_wasm.ts';
import { LiveModule } from '../wasm/live_module.ts';
import type { ModuleFunctions } from '../wasm/load.ts';
import { bitsOfWord, idOfWord, kindOfWord, OperationKind } from './operation_list.ts';

export interface Replayed {
  readonly trace: Trace;
  readonly wordSize: 4;
  readonly operations: number;
  /** Why not all of them; undefined when they were. */
  readonly notice: string | undefined;
}

/** The trace of the operations. `most` events at least end it, at the next operation. */
export async function replayOperations(
  words: Uint32Array,
  options: { readonly wasm?: WasmSource; readonly most?: number; readonly name?: string } = {},
): Promise<Replayed> {
  const trace = new Trace();
  const sink = {
    append: (records: Uint32Array) => trace.append(records),
    lost: (count: number) => trace.appendEvent(headOf(EventKind.eventsLost, 0), count, 0, 0),
  };
  const module = await LiveModule.start('heap', 'lossless', sink, options.wasm);
  const { most = Number.POSITIVE_INFINITY, name } = options;
  if (name !== undefined) {
    trace.append(textRecords(name));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  }
  const { done, notice } = module.call((functions) => carryOut(functions, words, () => trace.count < most));
  module.call((functions) => functions.hg_trace_checkpoint(0));
  module.drain();
  return { trace, wordSize: 4, operations: done, notice };
}

function carryOut(
  functions: ModuleFunctions,
  words: Uint32Array,
  goesOn: () => boolean,
): { readonly done: number; readonly notice: string | undefined } {
  const blocks = new Map<number, number>();
  const count = words.length >>> 1;
  let nth = 0;
  const stop = (why: string) => ({ done: nth, notice: `operation ${nth + 1}: ${why}; what follows is left out` });
  for (; nth < count && goesOn(); ++nth) {
    const what = words[nth * 2] as number;
    const size = words[nth * 2 + 1] as number;
    const kind = kindOfWord(what);
    const id = idOfWord(what);
    const mem = blocks.get(id);
    if (kind === OperationKind.free || kind === OperationKind.realloc) {
      if (mem === undefined) return stop(`no block ${id} is live`);
      if (kind === OperationKind.free) {
        functions.hg_free(mem);
        blocks.delete(id);
        continue;
      }
    } else if (mem !== undefined) return stop(`block ${id} is live already`);
    const got = take(functions, kind, size, 1 << bitsOfWord(what), mem ?? 0);
    if (got === 0) return stop(`heapglass has no ${size} bytes for it in a memory of 4 GiB`);
    blocks.set(id, got);
  }
  return { done: nth, notice: undefined };
}

function take(functions: ModuleFunctions, kind: number, size: number, alignment: number, mem: number): number {
  switch (kind) {
    case OperationKind.calloc:
      return functions.hg_calloc(1, size) >>> 0;
    case OperationKind.aligned:
      return functions.hg_memalign(alignment, size) >>> 0;
    case OperationKind.realloc:
      return functions.hg_realloc(mem, size) >>> 0;
    default:
      return functions.hg_malloc(size) >>> 0;
  }
}
