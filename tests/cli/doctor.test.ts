// heapglass doctor: each line against the machine that it is about, with real compilers, modules and packages.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildForTests, type CommandLine, root } from './command_line.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
}, 300_000);
afterAll(() => cli.dispose());

const at = (name: string): string => join(cli.folder, name);
const lines = (text: string): string[] => text.trimEnd().split('\n');

/** A program that answers --version as a compiler does. */
function compilerSaying(version: string): string {
  const path = at(`emcc-${version}`);
  writeFileSync(path, `#!/bin/sh\necho "emcc (Emscripten gcc/clang-like replacement) ${version} ()"\n`, {
    mode: 0o755,
  });
  return path;
}

function withCompiler(command: string, ...args: readonly string[]) {
  const before = process.env['EMCC'];
  process.env['EMCC'] = command;
  try {
    return cli.run('doctor', ...args);
  } finally {
    if (before === undefined) delete process.env['EMCC'];
    else process.env['EMCC'] = before;
  }
}

test('a setup that fits has no wrong line, and exit code 0', () => {
  const { stdout, status, stderr } = withCompiler(compilerSaying('3.1.69'));
  expect(stderr).toBe('');
  expect(lines(stdout)).toContain(`ok       Node ${process.versions.node}`);
  expect(lines(stdout)).toContain('ok       Emscripten 3.1.69');
  expect(stdout).toMatch(/^ok {7}binaryen 132\./m);
  expect(stdout).not.toMatch(/^wrong/m);
  expect(status).toBe(0);
});

test.each([
  ['3.1.5', /^wrong {4}Emscripten 3\.1\.5 is older than 3\.1\.6/m, 1],
  ['2.0.34', /^wrong {4}Emscripten 2\.0\.34 is older/m, 1],
  [
    '3.1.6',
    /^advice {3}Emscripten 3\.1\.6: its JavaScript takes the fetch .* node --import 'data:.*fetch' app\.js/m,
    0,
  ],
  ['6.0.5', /^ok {7}Emscripten 6\.0\.5$/m, 0],
])('a compiler of version %s', (version, line, code) => {
  const { stdout, status } = withCompiler(compilerSaying(version));
  expect(stdout).toMatch(line);
  expect(status).toBe(code);
});

test('no compiler is advice, one that fails is wrong', () => {
  const missing = withCompiler(at('no-such-emcc'));
  expect(missing.stdout).toMatch(/^advice {3}there is no .*no-such-emcc: programs cannot be linked here/m);
  expect(missing.status).toBe(0);
  writeFileSync(at('broken'), '#!/bin/sh\necho "LLVM is not there" >&2\nexit 3\n', { mode: 0o755 });
  const broken = withCompiler(at('broken'));
  expect(broken.stdout).toMatch(/^wrong {4}".*broken --version" fails: LLVM is not there$/m);
  expect(broken.status).toBe(1);
});

test('a package that is too old for us is wrong, with what to install', () => {
  mkdirSync(at('project/node_modules/binaryen'), { recursive: true });
  writeFileSync(at('project/package.json'), '{}');
  writeFileSync(at('project/node_modules/binaryen/package.json'), '{ "name": "binaryen", "version": "101.0.0" }');
  const { stdout, status } = cli.runIn('project', 'doctor');
  expect(stdout).toMatch(
    /^wrong {4}binaryen 101\.0\.0 is older than the package asks for .*npm install binaryen@132$/m,
  );
  expect(status).toBe(1);
});

test('finished modules: how malloc is found, and what call sites will have', () => {
  const named = cli.compile('known', '-g2').replace('.js', '.wasm');
  copyFileSync(at(named), at('named.wasm'));
  const exported = '_main,_malloc,_free,_calloc,_realloc,_aligned_alloc';
  const script = cli.compile('known', '-O3', `-sEXPORTED_FUNCTIONS=${exported}`);
  mkdirSync(at('alone'), { recursive: true });
  copyFileSync(at(script.replace('.js', '.wasm')), at('alone/app.wasm'));
  const before = cli.run('doctor', 'named.wasm', 'alone/app.wasm');
  expect(before.stdout).toMatch(
    /^ok {7}named\.wasm can be instrumented: (?=.*\bmalloc\b)(?=.*\bfree\b)(?=.*\brealloc\b).* are found by its names; .* more$/m,
  );
  expect(before.stdout).toMatch(/^advice {3}named\.wasm: call sites will have functions; link with -g for files/m);
  expect(before.stdout).toMatch(/^wrong {4}alone\/app\.wasm cannot be instrumented: .*minifier replaced them/m);
  expect(before.stdout).toMatch(/^advice {3}alone\/app\.wasm has no names of functions/m);
  expect(before.status).toBe(1);
  copyFileSync(at(script), at('alone/app.js'));
  const after = cli.run('doctor', 'alone/app.wasm');
  expect(after.stdout).toMatch(
    /^ok {7}alone\/app\.wasm can be instrumented: (?:.*) are found by app\.js beside the module/m,
  );
  expect(after.status).toBe(0);
}, 120_000);

test('a program that is linked with heapglass records itself; no file and no module are wrong', () => {
  const linked = cli.link('known', 'trace').replace('.js', '.wasm');
  writeFileSync(at('text.wasm'), 'no module');
  writeFileSync(at('cut.wasm'), readFileSync(join(root, 'build/wasm/heapglass-release.wasm')).subarray(0, 3000));
  const { stdout, status } = cli.run('doctor', linked, 'text.wasm', 'cut.wasm', 'missing.wasm');
  expect(stdout).toMatch(/^ok {7}\S+ is linked with heapglass and records itself: heapglass run$/m);
  expect(stdout).toMatch(/^wrong {4}text\.wasm: /m);
  expect(stdout).toMatch(/^wrong {4}cut\.wasm: /m);
  expect(stdout).toMatch(/^wrong {4}"missing\.wasm": there is no such file or folder$/m);
  expect(status).toBe(1);
}, 120_000);

test('a module with 64-bit memory can be instrumented, and where this engine does not know it, its reason stands beside', () => {
  // (module (type (func (param i64) (result i64))) (func (i64.const 8)) (table i64 1 funcref) (memory i64 1) (export "malloc" (func 0)))
  const parts = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7e, 1, 0x7e, 3, 2, 1, 0],
    [4, 4, 1, 0x70, 4, 1, 5, 3, 1, 4, 1],
    [7, 10, 1, 6, ...Buffer.from('malloc'), 0, 0, 10, 6, 1, 4, 0, 0x42, 8, 0x0b],
  ];
  const bytes = Uint8Array.from(parts.flat());
  writeFileSync(at('wide.wasm'), bytes);
  const { stdout, status } = withCompiler(compilerSaying('3.1.69'), 'wide.wasm');
  expect(stdout).toMatch(/^ok {7}wide\.wasm can be instrumented: malloc are found by its names/m);
  const isKnown = WebAssembly.validate(bytes);
  expect(/^wrong {4}wide\.wasm does not run in this Node: it is no valid module/m.test(stdout)).toBe(!isKnown);
  expect(status).toBe(isKnown ? 0 : 1);
});
