// The modules that a replay runs on, one for each allocator (tools/build_replay.mjs): where they lie, and what is known of them.

import { readText } from './compile_wasm.ts';

const kUrls = {
  fast: () => new URL('../../../build/wasm/replay-fast.wasm', import.meta.url),
  small: () => new URL('../../../build/wasm/replay-small.wasm', import.meta.url),
  hardened: () => new URL('../../../build/wasm/replay-hardened.wasm', import.meta.url),
  'row-d': () => new URL('../../../build/wasm/replay-row-d.wasm', import.meta.url),
  dlmalloc: () => new URL('../../../build/wasm/replay-dlmalloc.wasm', import.meta.url),
  emmalloc: () => new URL('../../../build/wasm/replay-emmalloc.wasm', import.meta.url),
  mimalloc: () => new URL('../../../build/wasm/replay-mimalloc.wasm', import.meta.url),
  pools: () => new URL('../../../build/wasm/replay-pools.wasm', import.meta.url),
} as const;

/** pools: heapglass fast with its pools, for advice. */
export type ReplayModuleName = keyof typeof kUrls;

export const replayModuleUrl = (name: ReplayModuleName): URL => kUrls[name]();

/** What tools/build_replay.mjs wrote beside the modules. */
export interface ReplayBuild {
  readonly compiler: string;
  readonly allocators: Readonly<
    Record<ReplayModuleName, { readonly code_bytes: number; readonly absent: string | null }>
  >;
}

export async function readReplayBuild(): Promise<ReplayBuild> {
  return JSON.parse(await readText(new URL('../../../build/wasm/replay.json', import.meta.url))) as ReplayBuild;
}
