// heapglass/shrink: memory of linked programs that goes back.

import { kShrinkExports, kShrinkScratch } from '../protocol/shrink_exports.ts';
import { type ExchangeHost, startExchange } from './exchange.ts';
import { exposeState } from './exposed_module.ts';
import { keepProgram, resetProgram } from './program_checkpoint.ts';
import { type AutoShrinkOptions, type LinkedMemory, makeProgramMemory, type ProgramMemory } from './program_memory.ts';
import { restoreProgram, takeProgramSnapshot } from './program_snapshot.ts';
import { type Shrunk, shrinkError } from './shrunk.ts';

/** What Emscripten's JavaScript gives: `Module`, or what the factory of -sMODULARIZE resolves to. */
export type ShrinkableModule = object;

function memoryOf(module: ShrinkableModule): LinkedMemory {
  const memory = (module as { heapglassMemory?: LinkedMemory }).heapglassMemory;
  if (memory !== undefined) return memory;
  throw shrinkError(
    'not_linked',
    'this program is linked without --shrink: emcc app.c $(npx heapglass --ldflags --shrink)',
  );
}

/**
 * Gives memory of a program back that was linked with `--shrink`: it goes on in a smaller memory, with everything at its address. Call it
 * between two calls into the program. Views that you made of its memory (`HEAPU8.subarray(...)`) have no elements afterwards, as after a
 * growth; `Module.HEAPU8` and the others are new.
 *
 * Rejects with a ShrinkError and changes nothing when the program cannot shrink (`refused`), or when there is no second memory for the
 * time of the copy (`out_of_memory`).
 *
 * @example
 * const { before, after } = await shrink(Module);
 */
export async function shrink(module: ShrinkableModule): Promise<Shrunk> {
  return memoryOf(module).shrink();
}

/** Bytes of whole free pages in the program's malloc: what a shrink leaves out at least. */
export const returnable = (module: ShrinkableModule): number => memoryOf(module).returnable();

/**
 * Shrinks by itself: looks every `idle` milliseconds. When the memory kept its size since the last look, it trims the heap, and shrinks if the
 * memory is more than `above` times what would stay. Returns a function that ends that.
 *
 * @example
 * autoShrink(Module, { above: 2, idle: 5000 });
 */
export const autoShrink = (module: ShrinkableModule, options?: AutoShrinkOptions): (() => void) =>
  memoryOf(module).autoShrink(options);

/**
 * The program as bytes: about what lives in its memory, its stack pointer and other globals. Nothing of it changes. What JavaScript keeps is
 * not in them: files of Emscripten's file system, functions that `addFunction` made, handles of embind. Throws a ShrinkError (`refused`,
 * `out_of_memory`).
 *
 * @example
 * const bytes = snapshot(Module); // keep it in a file, or post it
 */
export const snapshot = (module: ShrinkableModule): Uint8Array<ArrayBuffer> => takeProgramSnapshot(memoryOf(module));

/**
 * The program, started before from the same wasm file, goes on with the bytes of a snapshot, in this page, worker or process or another.
 * What it did before is gone. The bytes are proved first; a checksum finds damage and is no signature. Throws a ShrinkError
 * (`bad_snapshot`, `bad_argument`, `refused`, `out_of_memory`), and then the program goes on as it was.
 *
 * @example
 * const program = await createProgram();
 * restore(program, bytes);
 */
export const restore = (module: ShrinkableModule, bytes: BufferSource): void => restoreProgram(memoryOf(module), bytes);

/**
 * Keeps a copy of what lives in the program, for `reset()`; in place of the last one. Throws a ShrinkError (`refused`, `out_of_memory`).
 */
export const checkpoint = (module: ShrinkableModule): void => keepProgram(memoryOf(module));

/**
 * The program is what it was at the checkpoint, as often as you like: also after it ended by exit(), threw or trapped. Returns how many
 * pages of 4 KiB were written. Reads all that lived at the checkpoint. Throws a ShrinkError (`refused`, `out_of_memory`), and then the
 * program goes on as it was.
 *
 * @example
 * checkpoint(Module);
 * for (const job of jobs) { run(Module, job); reset(Module); }
 */
export const reset = (module: ShrinkableModule): number => resetProgram(memoryOf(module));

/** A program without Emscripten's JavaScript that can shrink. */
export interface ShrinkableInstance extends ProgramMemory {
  /** Stand in for the instance's exports; ask `exports.memory` again after each call. */
  readonly exports: Record<string, unknown>;
  /** By which `snapshot(program)` and the others know it. */
  readonly heapglassMemory: ProgramMemory;
}

/** Memory for a list of pages: one of them. */
const kScratch = [kShrinkScratch, 'hg_scratch'] as const;
type Call = (...args: number[]) => number;
type Needed = Record<(typeof kShrinkExports)[number], Call>;

/**
 * Starts a module that was linked with `--standalone --shrink` (or with clang and the same exports), in place of
 * WebAssembly.instantiate. Imports that read the memory ask `exports.memory` each time. Rejects with a ShrinkError (`not_linked`).
 */
export async function instantiateShrinkable(
  bytes: BufferSource,
  imports: WebAssembly.Imports = {},
): Promise<ShrinkableInstance> {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  const exposed = exposeState(view);
  const compiled = await WebAssembly.compile(exposed.bytes as BufferSource);
  const exchange = await startExchange(compiled, exposed, imports);
  const missing: string[] = kShrinkExports.filter((name) => typeof exchange.exports[name] !== 'function');
  const scratch = kScratch.map((name) => exchange.exports[name]).find((found) => typeof found === 'function') as
    | Call
    | undefined;
  if (missing.length > 0 || scratch === undefined) {
    if (scratch === undefined) missing.push(kShrinkScratch);
    throw shrinkError('not_linked', `this module is linked without --shrink: it does not export ${missing.join(', ')}`);
  }
  const program = exchange.exports as unknown as Needed;
  const host: ExchangeHost = {
    allocator: {
      trim: () => {
        program.hg_malloc_trim(0);
      },
      heapPages: (page, cursor, runs, capacity) => program.hg_heap_free_pages(0, page, cursor, runs, capacity),
      cachedPages: (page, cursor, runs, capacity) => program.hg_malloc_cached_pages(page, cursor, runs, capacity),
      memoryPages: (page, cursor, runs, capacity) => program.hg_memory_free_pages(page, cursor, runs, capacity),
      returnable: (page) => program.hg_heap_returnable(0, page) >>> 0,
      end: () => program.hg_memory_end() >>> 0,
      moved: (end) => {
        program.hg_memory_moved(end);
      },
      scratch: () => scratch() >>> 0,
    },
    whyNot: () => undefined,
    renew: () => undefined,
    noteOnTimeLine: () => undefined,
    recorder: () => undefined,
    keepRuntime: () => () => undefined,
  };
  const parts = {
    memory: exchange.memory,
    shrink: () => ({ exchange, host, reason: undefined }),
  };
  const memory = makeProgramMemory(parts);
  return { exports: exchange.exports, heapglassMemory: memory, ...memory };
}
