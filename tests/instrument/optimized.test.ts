// In Chromium, call stacks of code that the engine has optimized are those of before. An instance of the same module gets what the ones
// before have left: all of its stacks are then of optimized code.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { readSites } from '../../web/src/report/site_sums.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { toldByPage } from './told_by_page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const shipped = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
const kInstances = 4;

const kPage = `<!doctype html><link rel="icon" href="data:," /><script type="module">
  import { recorders } from './instrumented.js';
  const glue = await (await fetch('onig.js')).text();
  const bytes = await (await fetch('app.hg.wasm')).arrayBuffer();
  const traces = [];
  for (let nth = 0; nth < ${kInstances}; ++nth) {
    const module = { exports: {} };
    new Function('module', 'exports', glue)(module, module.exports);
    const { loadWASM, OnigScanner, OnigString } = module.exports;
    await loadWASM({ data: bytes.slice(0) });
    const text = new OnigString('the heap grows by 64 KiB, and 12 blocks move; '.repeat(4));
    const kept = [];
    for (let round = 0; round < 30; ++round) {
      const scanner = new OnigScanner(['[a-z]+s', '\\\\d+', '(?<unit>KiB|MiB)', 'blocks? (\\\\w+)']);
      for (let at = 0, match; (match = scanner.findNextMatchSync(text, at)) !== null; ) at = match.captureIndices[0].end + 1;
      if (round % 10 === 0) kept.push(scanner);
      else scanner.dispose();
    }
    traces.push(btoa(Array.from(recorders[nth].trace(), (byte) => String.fromCharCode(byte)).join('')));
    await new Promise((resolve) => setTimeout(resolve, 300)); // the engine optimizes beside it
  }
  globalThis.told = traces;
</script>`;

/** Each stack, with what was allocated there. */
function stacksOf(trace: string): string[] {
  const file = decodeTraceFile(Buffer.from(trace, 'base64'));
  if (!file.ok) throw new Error(file.error.message);
  const { sites } = readSites(file.value);
  return sites
    .map(({ stack, figures }) => `${stack.join(' < ')}: ${figures.allocations}, ${figures.allocated_bytes}`)
    .sort();
}

test('each instance has the same stacks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-optimized-'));
  try {
    writeFileSync(join(folder, 'page.html'), kPage);
    writeFileSync(join(folder, 'app.hg.wasm'), instrumentStacks(binaryen, readFileSync(shipped)).binary);
    copyFileSync(join(dirname(shipped), 'main.js'), join(folder, 'onig.js'));
    const entryPoints = { instrumented: join(root, 'package/instrumented.ts') };
    await build({ entryPoints, outdir: folder, bundle: true, format: 'esm', logLevel: 'warning' });
    const [first = [], ...others] = (await toldByPage<string[]>(folder, 'page.html')).map(stacksOf);
    expect(first.length).toBeGreaterThan(30);
    expect(others.length).toBe(kInstances - 1);
    for (const stacks of others) expect(stacks).toEqual(first);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
