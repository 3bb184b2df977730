// Call sites of an instrumented module in each engine: V8 gives frames, Firefox a text with offsets, WebKit names only.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { serve } from '../package/static_server.ts';
import { sitesOf } from '../web/instrument/sites_of.ts';
import { findEngine, kEngines, startEngine } from './engines.ts';

const kDepth = 60;

/** run(n): n calls of $down within each other, each of which allocates before the next. */
const kRecursion = `(module (memory (export "memory") 1)
  (func $take (param i32) (result i32) (i32.const 1024)) (func $give (param i32))
  (func $down (param $left i32)
    (drop (call $take (i32.const 8)))
    (if (local.get $left) (then (call $down (i32.sub (local.get $left) (i32.const 1))))))
  (func (export "run") (param i32) (call $down (local.get 0)))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

const kPage = `import { recorders } from './instrumented.js';
  const { instance } = await WebAssembly.instantiateStreaming(fetch('app.wasm'));
  instance.exports.run(${kDepth});
  globalThis.trace = [...recorders[0].trace()];`;

describe.each(kEngines)('%s', (name) => {
  const missing = findEngine(name);
  test.skipIf(typeof missing === 'string')('each allocation has its path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heapglass-sites-'));
    const entryPoints = ['package/instrumented.ts'];
    await build({
      entryPoints,
      bundle: true,
      format: 'esm',
      outfile: join(folder, 'instrumented.js'),
      logLevel: 'warning',
    });
    writeFileSync(
      join(folder, 'app.wasm'),
      instrumentStacks(binaryen, binaryen.parseText(kRecursion).emitBinary()).binary,
    );
    writeFileSync(join(folder, 'index.html'), `<!doctype html><script type="module">${kPage}</script>`);
    const server = await serve(folder);
    const engine = await startEngine(name, 'light');
    try {
      await engine.driver.get(`${server.address}/index.html`);
      const bytes = await engine.driver.wait(
        () => engine.driver.executeScript<number[] | null>('return globalThis.trace ?? null'),
        30_000,
      );
      const decoded = decodeTraceFile(Uint8Array.from(bytes ?? []));
      if (!decoded.ok) throw new Error(decoded.error.message);
      const { entered, pathOf } = sitesOf(decoded.value.trace);
      const lengths = entered.map((site) => pathOf(site).length);
      const whole = Array.from({ length: kDepth + 1 }, (_, level) => level + 2);
      expect(lengths).toEqual(name === 'webkit' ? [] : whole); // docs/sites.md
    } finally {
      await engine.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
