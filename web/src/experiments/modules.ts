// Where the modules of experiments lie. One literal URL each: bundlers find only those.

import type { ExperimentId } from '../protocol/experiments.ts';
import { compileWasm } from '../wasm/compile_wasm.ts';

/** plain: one thread, its own memory. threads: shared memory, an instance a thread. */
export type ModuleKind = 'plain' | 'threads';

const kWithThreads: ReadonlySet<ExperimentId> = new Set(['CE1', 'DE1']);

export const moduleKindOf = (id: ExperimentId): ModuleKind => (kWithThreads.has(id) ? 'threads' : 'plain');

const plainUrl = (): URL => new URL('../../../build/wasm/experiments.wasm', import.meta.url);
const threadsUrl = (): URL => new URL('../../../build/wasm/experiments-threads.wasm', import.meta.url);

const compiled = new Map<ModuleKind, Promise<WebAssembly.Module>>();

/** Compiled once: what the engine has optimized serves every instance after. */
export function moduleOf(kind: ModuleKind): Promise<WebAssembly.Module> {
  const module = compiled.get(kind) ?? compileWasm(kind === 'plain' ? plainUrl() : threadsUrl());
  compiled.set(kind, module);
  return module;
}
