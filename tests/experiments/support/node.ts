// Experiments under Vitest: threads are workers on a bundle, as in tools/experiments.mjs.

import { readFileSync } from 'node:fs';
import { bundleForNode, nodePorts } from '../../../tools/experiments/node_threads.mjs';
import { Threads } from '../../../web/src/experiments/threads.ts';

export async function nodeThreads(): Promise<Threads> {
  return new Threads(nodePorts(await bundleForNode('thread')));
}

/** tests/experiments/fixture, compiled by wasm-build.sh as the programs with threads are. */
export function fixtureModule(): WebAssembly.Module {
  const url = new URL('../../../build/wasm/experiments-fixture.wasm', import.meta.url);
  return new WebAssembly.Module(readFileSync(url));
}
