// --callers in Chromium: the leak of a package's module without names has the file and line of the page's own script. And what it costs, in
// counts: how often the engine was asked for a stack, bytes of the module, events.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer } from '../../web/src/answers/answer.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { toldByPage } from './told_by_page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const shipped = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
const kRounds = 60;

/** One line keeps every scanner that it makes. Who reads a stack sets the engine's limit before and behind: half of that is counted. */
const kScript = `
let sets = 0;
globalThis.Error = new Proxy(Error, { set: (real, name, value) => { sets += name === 'stackTraceLimit'; return Reflect.set(real, name, value); } });
export const stacksAsked = () => sets / 2;
export function look(rounds, onig, kept = []) {
  for (let round = 0; round < rounds; ++round)
    kept.push(new onig.OnigScanner(['[a-z]+s', '\\\\d+']));
  return kept.map((scanner) => scanner.findNextMatchSync('the heap grows', 0).index);
}`;
const kLeak = 1 + kScript.split('\n').findIndex((line) => line.includes('OnigScanner'));

const kPage = `<!doctype html><link rel="icon" href="data:," /><script src="onig.js"></script><script type="module">
  import { firstRecorder } from './instrumented.js';
  import { look, stacksAsked } from './app.js';
  await onig.loadWASM({ data: await (await fetch('app.hg.wasm')).arrayBuffer() });
  const before = stacksAsked();
  const found = look(${kRounds}, onig);
  const asked = stacksAsked() - before;
  globalThis.told = { found, asked, trace: Array.from((await firstRecorder()).trace()) };
</script>`;

interface Told {
  readonly found: number[];
  readonly asked: number;
  readonly trace: number[];
}

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-callers-'));
  writeFileSync(join(folder, 'page.html'), kPage);
  writeFileSync(join(folder, 'app.js'), kScript);
  copyFileSync(join(dirname(shipped), 'main.js'), join(folder, 'onig.js'));
  const entryPoints = { instrumented: join(root, 'package/instrumented.ts') };
  await build({ entryPoints, outdir: folder, bundle: true, format: 'esm', logLevel: 'warning' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function leakOf(callers: boolean) {
  const { binary } = instrumentStacks(binaryen, readFileSync(shipped), { callers });
  writeFileSync(join(folder, 'app.hg.wasm'), binary);
  const { found, asked, trace } = await toldByPage<Told>(folder, 'page.html');
  expect(found).toEqual(new Array(kRounds).fill(0));
  const decoded = decodeTraceFile(Uint8Array.from(trace));
  if (!decoded.ok) throw new Error(decoded.error.message);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  const { sentence } = answer({ model, event: model.trace.count, heap: 0 }, { ask: 'leaked' });
  return { sentence, asked, bytes: binary.length, events: model.trace.count };
}

test('the leak has the line of the page, and every entry into the module costs one stack', async () => {
  const callers = await leakOf(true);
  const stacks = await leakOf(false);
  expect(callers.sentence).toMatch(new RegExp(`^\`?(look|app\\.js:${kLeak})\\b.*app\\.js:${kLeak}.* keeps growing`));
  expect(stacks.sentence).not.toContain('app.js');
  console.log(`a page's scanners, ${kRounds} rounds: ${JSON.stringify({ callers, stacks })}`);
  // --stacks asks for a stack where it is new, --callers at each entry, too: two for each scanner at least, made and searched.
  expect(callers.asked - stacks.asked).toBeGreaterThanOrEqual(2 * kRounds);
});
