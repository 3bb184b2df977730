// Recorded streams of the malloc benchmark: what is recorded is what a program called, and a replay notices when an
// allocator loses what was written into its blocks.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../bench/harness/compile.mjs';
import { kCounting } from '../bench/malloc/allocators.mjs';
import { buildModule } from '../bench/malloc/build.mjs';
import { execute } from '../bench/malloc/execute.mjs';
import { compileObject } from '../bench/malloc/objects.mjs';

const kProgram = `
#include <malloc.h>
#include <stdlib.h>
int main(void) {
  char *a = malloc(100), *b = calloc(3, 7), *c = memalign(256, 1000);
  free(a);
  b = realloc(b, 4000);
  a = realloc(NULL, 3);
  free(NULL);
  free(c);
  b = realloc(b, 0);
  return a == NULL || b == NULL;
}`;
const kKinds = ['malloc', 'calloc', 'aligned', 'realloc', 'free'];
const kReplay = {
  name: 'replay',
  kind: 'stream' as const,
  sources: [join(root, 'programs/replay/replay.c')],
  flags: [],
};

function decode(stream: Uint8Array): string[] {
  const words = new DataView(stream.buffer, stream.byteOffset);
  return Array.from({ length: stream.length / 8 }, (_, i) => {
    const [what, size] = [words.getUint32(i * 8, true), words.getUint32(i * 8 + 4, true)];
    return `${kKinds[what & 7]} ${what >>> 8} ${size} ${2 ** ((what >>> 3) & 31)}`;
  });
}

describe('a recorded stream', () => {
  let stream: Uint8Array;

  beforeAll(async () => {
    const source = join(mkdtempSync(join(tmpdir(), 'malloc-streams-')), 'program.c');
    writeFileSync(source, kProgram);
    const module = { name: 'recorded-test', kind: 'command' as const, sources: [source], flags: [] };
    const wasm = readFileSync(await buildModule(module, kCounting, { counted: true }));
    const { recorded } = await execute(wasm, { mode: 'recorded', kind: 'command', args: ['program'] });
    expect(recorded).toMatchObject({ blocks: 3, whole: true });
    stream = (recorded as unknown as { operations: Uint8Array }).operations;
  });

  it('has the calls in order, with the ids of freed blocks given again', () => {
    expect(decode(stream)).toEqual([
      'malloc 0 100 1',
      'calloc 1 21 1',
      'aligned 2 1000 256',
      'free 0 0 1',
      'realloc 1 4000 1',
      'malloc 0 3 1',
      'free 2 0 1',
      'free 1 0 1',
      'malloc 1 0 1',
    ]);
  });

  it('is carried out, again and again, by an allocator that is right', async () => {
    const wasm = readFileSync(await buildModule(kReplay, kCounting));
    const { ms, units } = await execute(wasm, { mode: 'time', kind: 'stream', percent: 1 }, stream);
    expect(units).toBe(1); // one percent of nine operations, rounded up
    expect(ms).toBeGreaterThan(0);
    expect(await execute(wasm, { mode: 'footprint', kind: 'stream' }, stream)).toMatchObject({ units: 5 });
  });

  it('is refused by an allocator whose realloc does not copy', async () => {
    const bump = await compileObject(join(root, 'tests/bench/malloc/runtime/bump.c'), ['-O3', '-fno-builtin']);
    const wasm = readFileSync(await buildModule(kReplay, { name: 'bump', flags: [bump] }));
    const replayed = execute(wasm, { mode: 'footprint', kind: 'stream' }, stream);
    await expect(replayed).rejects.toThrow('a block did not hold what was written to it');
  });
});
