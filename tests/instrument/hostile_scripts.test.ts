// Scripts and package.json around a module that were made to keep whoever reads them: in a process of its own, which is ended.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bumpAllocator } from '../package/bump_allocator.ts';

const kLimitMs = 60_000; // each takes 0.1 s; without an end, hours
const kBytes = 2 * 1024 * 1024;
const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** How many scripts say what the allocator of app.wasm is, as a process finds that is given so long. */
async function candidatesFound(): Promise<string> {
  const program = join(folder, 'hidden.cjs');
  await build({
    stdin: {
      contents: `import { candidates } from './package/recorded/beside.ts';
import { readFileSync } from 'node:fs';
const [file] = process.argv.slice(2);
console.log(candidates({}, readFileSync(file), file).tried.length - 1);`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    logLevel: 'error',
  });
  const module = join(folder, 'app.wasm');
  writeFileSync(module, bumpAllocator('a', 'b'));
  return (await run(process.execPath, [program, module], { timeout: kLimitMs })).stdout.trim();
}

const repeated = (part: string): string => part.repeat(kBytes / part.length);

test.each([
  ['a word of two megabytes', `const data = "${repeated('0a1b')}";`],
  ['a chain of assignments', `a(4+b+1);null!=b&&c.push(a,d);${repeated('a=')}`],
  ['thousands of functions that may be malloc', Array.from({ length: 200_000 }, (_, i) => `v${i}(4+b+1);`).join('\n')],
])(
  '%s is searched in proportion to its length',
  async (_, script) => {
    writeFileSync(join(folder, 'app.js'), script);
    expect(await candidatesFound()).toBe('0');
  },
  70_000,
);

test.skipIf(process.platform === 'win32')(
  'a package.json that is a pipe is no package.json',
  async () => {
    execFileSync('mkfifo', [join(folder, 'package.json')]);
    expect(await candidatesFound()).toBe('0');
  },
  70_000,
);
