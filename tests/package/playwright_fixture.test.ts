// heapglass/playwright from the tarball: a project with tests of a page that knows nothing of heapglass, run by Playwright itself. Daily one
// test of each kind: a test that fails costs Playwright a new process and a new browser.

import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../tools/find_chromium.mjs';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery } from '../every.ts';
import { lineOf } from '../handles/handle_rows.ts';
import { checkedTrace, countIn, threadsIn } from '../instrument/crowd_trace.ts';
import { bumpAllocator, padded } from './bump_allocator.ts';
import { type Installed, installPacked, root } from './installed.ts';
import { kIsolated, serve } from './static_server.ts';

interface Result {
  readonly status: string;
  readonly error?: { readonly message: string };
  readonly attachments: readonly { readonly name: string; readonly path?: string; readonly body?: string }[];
}

const kDaily = [
  'holds',
  'a page that the test has closed',
  'in a script',
  'in a module worker',
  'a policy: workers of its own server',
  'threads of a module in the page',
  'threads that cannot be recorded, crowd.html',
  'short names',
  'leaks between two marks',
  'handles are deleted',
  'handles stay',
  'no module',
];
const isRun = (title: string): boolean => kEvery || kDaily.includes(title);
let installed: Installed;
const results = new Map<string, Result>();

beforeAll(async () => {
  installed = installPacked(fileURLToPath(new URL('./playwright_app', import.meta.url)));
  const modules = join(installed.folder, 'node_modules');
  mkdirSync(join(modules, '@playwright'));
  symlinkSync(join(root, 'node_modules/@playwright/test'), join(modules, '@playwright/test'));
  symlinkSync(join(root, 'node_modules/binaryen'), join(modules, 'binaryen'));
  writeFileSync(join(installed.folder, 'app.wasm'), bumpAllocator('malloc', 'free'));
  writeFileSync(join(installed.folder, 'padded.wasm'), padded(bumpAllocator('malloc', 'free'), 5000));
  writeFileSync(join(installed.folder, 'empty.html'), '<!doctype html><link rel="icon" href="data:," />');
  writeFileSync(join(installed.folder, 'short.wasm'), bumpAllocator('Ia', 'Ja'));
  writeFileSync(join(installed.folder, 'short_padded.wasm'), padded(bumpAllocator('Ia', 'Ja'), 5000));
  await bundleHandles();
  linkCrowd();
  const server = await serve(installed.folder);
  const isolated = await serve(installed.folder, kIsolated);
  try {
    await run({
      ADDRESS: server.address,
      ISOLATED: isolated.address,
      CHROMIUM: findChromium() ?? '',
      ...(kEvery ? {} : { ONLY: kDaily.join('|') }),
    });
  } finally {
    server.close();
    isolated.close();
  }
  interface Suite {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly { readonly results: readonly Result[] }[];
    }[];
  }
  const { suites } = JSON.parse(readFileSync(join(installed.folder, 'results.json'), 'utf8')) as { suites: Suite[] };
  for (const { title, tests } of suites.flatMap(({ specs }) => specs)) {
    const [result] = tests[0]?.results ?? [];
    if (result !== undefined) results.set(title, result);
  }
}, 300_000);
afterAll(() => installed?.dispose());

/** A program of five threads that counts its own calls. */
function linkCrowd(): void {
  const flags = ['-O1', '-g2', '-pthread', '-sPTHREAD_POOL_SIZE=4', '-sEXIT_RUNTIME=1', '-sINITIAL_MEMORY=67108864'];
  const given = ['emcc', join(root, 'tests/instrument/programs/crowd.c'), ...flags, '-o', 'crowd.js'];
  execFileSync(join(root, 'wasm-build.sh'), given, { cwd: installed.folder, stdio: 'pipe' });
}

/** Scripts of the app, each with its glue and its source map. */
async function bundleHandles(): Promise<void> {
  for (const file of ['counters.js', 'counters_bg.wasm'])
    copyFileSync(join(root, 'tests/handles/counters', file), join(installed.folder, file));
  await build({
    entryPoints: {
      handles_app: join(installed.folder, 'handles_source.js'),
      handles_worker: join(installed.folder, 'handles_worker_source.js'),
    },
    outdir: installed.folder,
    bundle: true,
    minify: true,
    sourcemap: true,
    format: 'esm',
    logLevel: 'warning',
  });
}

/** Playwright's own run: some of the tests fail, as they should. */
function run(more: Readonly<Record<string, string>>): Promise<void> {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const env = { ...process.env, ...more };
  delete env['CI'];
  const child = spawn(process.execPath, [cli, 'test'], { cwd: installed.folder, env, stdio: 'ignore' });
  return new Promise((resolve) => child.on('exit', () => resolve()));
}

function resultOf(title: string): Result {
  const result = results.get(title);
  if (result === undefined) throw new Error(`Playwright has no result of "${title}"`);
  return result;
}

test.each(
  [
    'holds',
    'a page that the test has closed',
    'a page that hangs when the test closes it',
    'a closed context',
    'a page that crashes',
    'in a script',
    'in a script, compiled at once',
    'in a script of a server, compiled at once',
    'in a classic worker',
    'in a module worker',
    'in a worker that has ended',
    'in a shared worker',
    'a policy: workers of its own server',
    'a policy: the same in its text',
    'a policy: no module compiled',
    'a policy: no script imported',
    'threads that cannot be recorded, crowd.html',
    'threads that cannot be recorded, crowd_worker.html',
  ].filter(isRun),
)('what holds passes: %s', (title) => {
  const { status, error } = resultOf(title);
  expect(error?.message).toBe(undefined);
  expect(status).toBe('passed');
});

test.each(['in the page', 'in a worker'].filter((where) => isRun(`threads of a module ${where}`)))(
  'threads of a module %s are recorded as the program counted itself',
  (where) => {
    const { status, error, attachments } = resultOf(`threads of a module ${where}`);
    expect(error?.message).toBe(undefined);
    expect(status).toBe('passed');
    const [recorded, counted] = attachments;
    expect(attachments.map(({ name }) => name)).toEqual(['trace 0', 'counted']);
    const trace = checkedTrace(readFileSync(recorded?.path ?? ''));
    const { unseen, ...counts } = countIn(trace);
    const printed = Buffer.from(counted?.body ?? '', 'base64').toString();
    expect({ ...counts, wrong: 0 }).toEqual(JSON.parse(printed));
    expect(unseen).toBe(0);
    expect(threadsIn(trace)).toEqual(new Set([1, 2, 3, 4, 5]));
  },
);

test.each(['short names', 'short names, compiled at once'].filter(isRun))(
  'where the names of a module are shortened, the scripts of the page say which function is malloc: %s',
  (title) => {
    const { status, error } = resultOf(title);
    expect(error?.message).toBe(undefined);
    expect(status).toBe('passed');
  },
);

describe('what does not hold fails, with what was found, the trace and its report', () => {
  test.each(
    [
      ['leaks between two marks', '10 blocks, 640 bytes, allocated behind "open" and not freed at "closed"'],
      ['too much', 'peak is 11.1 KiB'],
    ].filter(([title]) => isRun(title ?? '')),
  )('%s', (title, words) => {
    const { status, error, attachments } = resultOf(title);
    expect(status).toBe('failed');
    expect(error?.message).toContain(words);
    const [trace, report] = attachments;
    expect(attachments.slice(0, 2).map(({ name }) => name)).toEqual(['heap: trace', 'heap: report']);
    expect(decodeTraceFile(readFileSync(trace?.path ?? '')).ok).toBe(true);
    expect(readFileSync(report?.path ?? '', 'utf8')).toMatch(/<title>/);
  });
});

test('handles that are deleted are not accused', () => {
  expect(resultOf('handles are deleted')).toMatchObject({ status: 'passed' });
});

test.each(
  [
    ['handles stay', 'handles_source.js'],
    ['handles stay in a worker', 'handles_worker_source.js'],
  ].filter(([title]) => isRun(title ?? '')),
)('%s: they have their class, the line before it was bundled, and their bytes', (title, file) => {
  const { status, error } = resultOf(title);
  expect(status).toBe('failed');
  const line = lineOf(readFileSync(join(installed.folder, file), 'utf8'), 'counter');
  expect(error?.message).toContain(
    '10 handles that nobody deleted, 1080 bytes, made behind "open" and not deleted at "closed"',
  );
  expect(error?.message).toMatch(
    new RegExp(`10 of \\w+, 1080 bytes: made by .*${file.replace('.', '\\.')}:${line}\\)`),
  );
});

const kWrong: readonly (readonly [title: string, words: RegExp])[] = [
  ['no handles', /no handle of embind or wasm-bindgen was made/],
  ['no module', /nothing of data:text\/html.* is recorded: it has called no allocator/],
  ['a context closed too early', /nothing was recorded before the page was closed/],
  ['a mark that was not set', /opened/],
  ['a size that is none', /toStayBelow: "much" is no size; write it as "32 MiB"/],
];
test.each(kWrong.filter(([title]) => isRun(title)))('%s: the error says so', (title, words) => {
  const { status, error } = resultOf(title);
  expect(status).toBe('failed');
  expect(error?.message).toMatch(words);
});
