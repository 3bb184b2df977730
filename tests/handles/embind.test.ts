// Handles of embind in Chromium, of a program that Emscripten links with heapglass, and of the same one finished and instrumented.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { instrument } from '../../web/src/instrument/instrument.ts';
import type { HandleGroup } from '../../web/src/protocol/handles.ts';
import { kLevel, someOf } from '../every.ts';
import { toldByPage } from '../instrument/told_by_page.ts';
import { toolchains } from '../link/toolchain.ts';
import { recorderFlags } from '../record/recorded_program.ts';
import { figuresAt, lineOf, modelOf, rowOf } from './handle_rows.ts';

const here = fileURLToPath(new URL('./programs', import.meta.url));
const kFlags = ['--bind', kLevel, '-sMODULARIZE', '-sEXPORT_NAME=createModule', '-sALLOW_MEMORY_GROWTH'];

interface Told {
  readonly collected: number[];
  readonly trace: number[];
  readonly late: number[];
  /** Bytes of an object of C++ that calls one of JavaScript. */
  readonly listener: number;
}

/** What the page tells of the program, linked with these flags. */
async function toldOf(name: string, flags: readonly string[], isInstrumented: boolean): Promise<Told> {
  const [emscripten] = toolchains();
  if (emscripten === undefined) throw new Error('no Emscripten');
  const { wasm } = await emscripten.link(`handles_${name}`, [join(here, 'shapes.cpp')], [...kFlags, ...flags]);
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-handles-'));
  try {
    const bytes = readFileSync(wasm);
    const script = readFileSync(wasm.replace(/\.wasm$/, '.js'), 'utf8');
    writeFileSync(join(folder, `handles_${name}.wasm`), isInstrumented ? instrument(binaryen, bytes).binary : bytes);
    writeFileSync(join(folder, 'shapes.js'), script);
    writeFileSync(join(folder, 'before.js'), '');
    for (const file of ['cleanups.js', 'shapes_app.js', 'shapes_page.html'])
      copyFileSync(join(here, file), join(folder, file));
    if (isInstrumented) {
      const entryPoints = { before: join(here, 'before.ts') };
      await build({ entryPoints, outdir: folder, bundle: true, format: 'iife', logLevel: 'warning' });
    }
    return await toldByPage<Told>(folder, 'shapes_page.html', ['--js-flags=--expose-gc']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const app = readFileSync(join(here, 'shapes_app.js'), 'utf8');
const kLines = (['counter', 'shape', 'tree', 'clone', 'ear'] as const).map((name) => lineOf(app, name));

/** `size`: of a block, by the bytes that were asked for. */
const checked = (groups: readonly HandleGroup[], size: (asked: number) => number, listener: number) => {
  const [counter, shape, tree, clone, ear] = kLines;
  expect(groups.map(rowOf).sort()).toEqual(
    [
      `Counter leakCounters shapes_app.js:${counter} 10 handles, 10 blocks, ${10 * size(96)} bytes`,
      `Shape leakShapes shapes_app.js:${shape} 10 handles, 20 blocks, ${10 * (size(160 + 12) + size(8))} bytes`,
      `Tree lookAtTree shapes_app.js:${tree} 1 handles, 1 blocks, ${size(12)} bytes`,
      `Counter cloneOne shapes_app.js:${clone} 1 handles, 1 blocks, ${size(96)} bytes`,
      `ListenerWrapper derive shapes_app.js:${ear} 1 handles, 1 blocks, ${size(listener)} bytes`,
    ].sort(),
  );
};

/** Few of a small size: each is a chunk with room for the largest request of its class. */
const linkedSize = (asked: number) => (asked <= 128 ? ((asked + 7) & ~7) + 8 : (asked + 11) & ~7);

const kWays = [
  ['linked', () => toldOf('linked', recorderFlags('trace'), false), linkedSize],
  ['instrumented', () => toldOf('plain', [], true), (asked: number) => asked],
] as const;

describe.each(someOf(kWays))('%s', (_, told, size) => {
  test('ten counters of a thousand and ten shapes of fifty are named, and nothing else; collected ones apart', async () => {
    const { collected, trace, late, listener } = await told();
    expect(listener).toBeGreaterThan(200);
    const lost = modelOf(Uint8Array.from(collected));
    const gone = figuresAt(lost, lost.history.head.seq);
    expect(gone).toMatchObject({ made: 50, handles: 0, collected: 10, groups: [] });
    expect(gone.collected_groups.map(rowOf)).toEqual([
      `Shape leakShapes shapes_app.js:${kLines[1]} 10 handles, 0 blocks, 0 bytes`,
    ]);

    const model = modelOf(Uint8Array.from(trace));
    const { history } = model;
    expect(history.marks.count).toBe(1); // those of handles are none
    const all = figuresAt(model, history.head.seq);
    checked(all.groups, size, listener);
    expect(all.without_block).toBe(9); // to nodes of trees
    const counted = history.marks.at(0);
    expect(figuresAt(model, counted).groups.map((group) => group.handles)).toEqual([10, 10]);

    const begun = modelOf(Uint8Array.from(late));
    checked(figuresAt(begun, begun.history.head.seq).groups, size, listener);
  });
});
