// The contract's own wasm module (wasm-build.sh contract): the same operations as the native program, on the real heap
// in linear memory, with the twin in static memory beside it. This is its host.

import { readFileSync } from 'node:fs';
import { HeapViews } from '../../web/src/wasm/heap_views.ts';
import { type EventSink, Ring } from '../../web/src/wasm/ring.ts';

export type Variant = 'release' | 'trace' | 'checked';

interface ContractFunctions {
  readonly memory: WebAssembly.Memory;
  _initialize?(): void;
  contract_trace(): void;
  contract_run(
    seed: number,
    operations: number,
    checkEvery: number,
    largestAlignment: number,
    strangers: number,
    malloc: number,
  ): number;
  contract_report(): number;
  contract_ring(): number;
}

export interface RunOptions {
  readonly variant: Variant;
  readonly seed: number;
  readonly operations: number;
  readonly checkEvery: number;
  /** Someone else grows memory now and then. */
  readonly strangers?: boolean;
  /** With the operations of malloc. */
  readonly malloc?: boolean;
}

export interface Run {
  /** "seed 1 operations ... offsets 0x..." */
  readonly report: string;
  /** Hash of all offsets the allocator returned, from each heap's base. */
  readonly offsets: string;
  readonly memoryBytes: number;
}

/** libc++ ends a program that misuses a container, and newer ones write why: there are no other system calls. */
function refusedCalls(module: WebAssembly.Module): Record<string, () => never> {
  const calls = WebAssembly.Module.imports(module).filter((one) => one.module === 'wasi_snapshot_preview1');
  const refused = (name: string) => (): never => {
    throw new Error(`the contract's module called ${name}`);
  };
  return Object.fromEntries(calls.map(({ name }) => [name, refused(name)]));
}

/** Runs the contract; its events, in builds with probes, go to the sink. Throws with the report when it is broken. */
export async function runContract(options: RunOptions, sink?: EventSink): Promise<Run> {
  const path = new URL(`../../build/wasm/contract-${options.variant}.wasm`, import.meta.url);
  let ring: Ring | undefined;
  const module = new WebAssembly.Module(readFileSync(path));
  const instance = await WebAssembly.instantiate(module, {
    env: { emscripten_notify_memory_growth: () => {} },
    wasi_snapshot_preview1: refusedCalls(module),
    heapglass: {
      drain: () => {
        if (sink !== undefined) ring?.drain(sink);
      },
    },
  });
  const functions = instance.exports as unknown as ContractFunctions;
  functions._initialize?.();
  const views = new HeapViews(functions.memory);
  if (sink !== undefined) {
    ring = new Ring(views, () => functions.contract_ring());
    functions.contract_trace();
  }
  const report = () => views.text(functions.contract_report() >>> 0);
  try {
    const strangers = options.strangers === true ? 1 : 0;
    const malloc = options.malloc === true ? 1 : 0;
    functions.contract_run(options.seed, options.operations, options.checkEvery, 65_536, strangers, malloc);
  } catch (cause) {
    throw new Error(`contract broken: ${report()}`, { cause });
  }
  if (sink !== undefined) ring?.drain(sink);
  const offsets = /offsets (0x[0-9a-f]+)$/.exec(report())?.[1];
  if (offsets === undefined) throw new Error(`no offsets in the report: ${report()}`);
  return { report: report(), offsets, memoryBytes: functions.memory.buffer.byteLength };
}
