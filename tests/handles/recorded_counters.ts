// A program with objects of Rust under Node, recorded as heapglass run does it. Its module is counters/, which wasm-bindgen 0.2.130 made.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { buildSync } from 'esbuild';
import { instrument } from '../../web/src/instrument/instrument.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const programs = join(root, 'tests/handles/programs');

export const countersApp = readFileSync(join(programs, 'counters_app.js'), 'utf8');

/** Runs counters_main.mjs with these arguments; its trace file. */
export function recordCounters(...given: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-counters-'));
  const at = (name: string) => join(folder, name);
  try {
    const shipped = readFileSync(join(root, 'tests/handles/counters/counters_bg.wasm'));
    writeFileSync(at('app.wasm'), instrument(binaryen, shipped).binary);
    const entryPoints = [join(root, 'package/cli/record_instrumented.ts')];
    buildSync({ entryPoints, outfile: at('loader.mjs'), bundle: true, format: 'esm', platform: 'node' });
    const program = join(programs, 'counters_main.mjs');
    const args = ['--expose-gc', '--import', at('loader.mjs'), program, at('app.wasm'), ...given];
    const env = { ...process.env, HEAPGLASS_RECORD: at('app.hgtrace') };
    execFileSync(process.execPath, args, { env, stdio: 'pipe', timeout: 60_000 });
    return readFileSync(at('app.hgtrace'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
