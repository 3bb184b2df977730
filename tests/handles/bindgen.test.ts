// Handles of wasm-bindgen under Node, of a finished module that is instrumented, recorded as heapglass run does it; with the engine's
// finalizers too. The module is counters/: wasm-bindgen 0.2.130 made it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { figuresAt, lineOf, modelOf, rowOf } from './handle_rows.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const programs = fileURLToPath(new URL('./programs', import.meta.url));
const app = readFileSync(join(programs, 'counters_app.js'), 'utf8');
const kCounter = 12 + 96; // a count of strong and of weak references, a cell's flag, and the object
const kLabel = 12 + 12; // the same with a string, whose text is a block that the handle does not point to

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-bindgen-'));
  const shipped = readFileSync(new URL('./counters/counters_bg.wasm', import.meta.url));
  writeFileSync(join(folder, 'app.wasm'), instrument(binaryen, shipped).binary);
  const entryPoints = { loader: join(root, 'package/cli/record_instrumented.ts') };
  const outExtension = { '.js': '.mjs' };
  await build({ entryPoints, outdir: folder, outExtension, bundle: true, format: 'esm', platform: 'node' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program; what its trace says of handles at the end. */
function recorded(...given: readonly string[]) {
  const file = join(folder, 'app.hgtrace');
  const program = join(programs, 'counters_main.mjs');
  const args = ['--expose-gc', '--import', join(folder, 'loader.mjs'), program, join(folder, 'app.wasm'), ...given];
  execFileSync(process.execPath, args, {
    env: { ...process.env, HEAPGLASS_RECORD: file },
    stdio: 'pipe',
    timeout: 60_000,
  });
  const model = modelOf(readFileSync(file));
  return figuresAt(model, model.history.head.seq);
}

const [counter, label, twice] = (['counter', 'label', 'twice'] as const).map((name) => lineOf(app, name));

test('ten counters of a thousand are named, and nothing else but what stays as well', () => {
  const figures = recorded();
  expect(figures.groups.map(rowOf)).toEqual([
    `Counter leakCounters counters_app.js:${counter} 10 handles, 10 blocks, ${10 * kCounter} bytes`,
    `Twice derive counters_app.js:${twice} 2 handles, 2 blocks, ${2 * kCounter} bytes`,
    `Label (anonymous) counters_app.js:${label} 2 handles, 2 blocks, ${2 * kLabel} bytes`,
  ]);
  expect(figures).toMatchObject({ made: 2004, handles: 14, without_block: 0, collected: 0 });
});

test('what the engine has collected is deleted, late', () => {
  const figures = recorded('collect');
  expect(figures.groups.map(({ class: name }) => name)).toEqual(['Label']);
  expect(figures.collected).toBe(10);
  expect(figures.collected_groups.map(rowOf)).toEqual([
    `Counter leakCounters counters_app.js:${counter} 10 handles, 0 blocks, 0 bytes`,
  ]);
});
