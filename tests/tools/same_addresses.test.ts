// malloc.M3: with probes malloc is the same text. So both builds give the same addresses, call for call, over 30 random
// programs (200 in npm run test:all): while events are recorded, and in a used heap too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { archive, root } from '../bench/harness/compile.mjs';
import { createWasi } from '../bench/harness/wasi.mjs';
import { buildModule } from '../bench/malloc/build.mjs';
import { kSources } from '../bench/malloc/random/program.mjs';
import { kEvery } from '../every.ts';

const kSeeds = kEvery ? 200 : 30;
const kPercent = 12; // of each program's length and live bytes
const kPage = 65536;
const kPages = 48; // of the heap at first: the larger programs grow it
const kTime = { timeout: 600_000 };

interface Program {
  readonly memory: WebAssembly.Memory;
  _initialize?(): void;
  bench_begin_addresses(): number;
  bench_random_draw(seed: number, percent: number): void;
  bench_random_use(seed: number): void;
  bench_random_run(): number;
  bench_addresses(): number;
  bench_address_count(): number;
  bench_event_count(): number;
}

const build = (name: string, variant: string, flags: readonly string[]) =>
  buildModule(
    {
      name: `addresses-${name}`,
      kind: 'program',
      sources: [...kSources, 'addresses.cpp'].map((file) => join(root, 'tests/bench/malloc/random', file)),
      flags: [
        '-DBENCH_ADDRESSES=1',
        `-I${join(root, 'core/include')}`,
        '-sERROR_ON_UNDEFINED_SYMBOLS=0', // 3.1.6 does not see that heapglass.drain is an import
        '-sWARN_ON_UNDEFINED_SYMBOLS=0',
        ...flags,
      ],
    },
    { name: 'heapglass', flags: [archive(variant)] },
  ).then((path) => WebAssembly.compile(readFileSync(path)));

async function run(module: WebAssembly.Module, seed: number, used: boolean) {
  let memory: WebAssembly.Memory | undefined;
  const wasi = createWasi({ memory: () => memory as WebAssembly.Memory });
  const imports = { ...wasi.imports(module), heapglass: { drain: () => {} } };
  const program = (await WebAssembly.instantiate(module, imports)).exports as unknown as Program;
  memory = program.memory;
  program._initialize?.();
  const base = program.bench_begin_addresses();
  program.memory.grow(base / kPage + kPages - program.memory.buffer.byteLength / kPage);
  program.bench_random_draw(seed, kPercent);
  if (used) program.bench_random_use(seed);
  const checksum = program.bench_random_run();
  const grown = program.memory.buffer.byteLength - base > kPages * kPage;
  return {
    same: { checksum, addresses: program.bench_addresses(), blocks: program.bench_address_count(), grown },
    events: program.bench_event_count(),
  };
}

describe('malloc with probes and without', () => {
  let plain: WebAssembly.Module;
  let traced: WebAssembly.Module;

  beforeAll(async () => {
    plain = await build('plain', 'malloc-fast', []);
    traced = await build('traced', 'malloc-trace', ['-DBENCH_EVENTS=1']);
  }, kTime.timeout);

  it(`gives the same addresses over ${kSeeds} random programs, every tenth in a used heap`, kTime, async () => {
    let [blocks, events, grown] = [0, 0, 0];
    for (let seed = 1; seed <= kSeeds; ++seed) {
      const used = seed % 10 === 0;
      const [left, right] = [await run(plain, seed, used), await run(traced, seed, used)];
      expect(right.same, `seed ${seed}`).toEqual(left.same);
      expect(left.events).toBe(0);
      expect(right.events).toBeGreaterThan(left.same.blocks);
      blocks += left.same.blocks;
      events += right.events;
      grown += left.same.grown ? 1 : 0;
    }
    console.log(`${blocks} blocks, ${events} events; memory grew in ${grown} of ${kSeeds} programs`);
    expect(blocks).toBeGreaterThan(5000 * kSeeds);
    expect(grown).toBeGreaterThan(kSeeds / 20);
  });
});
