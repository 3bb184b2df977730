// heapglass instrument --callers: the leak of a package's module, which has no names, is named by the line of JavaScript that uses it.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kEvery } from '../every.ts';
import { buildForTests, type CommandLine, root } from './command_line.ts';

const kPackage = join(root, 'node_modules/vscode-oniguruma');
/** The third line from its end keeps every scanner that it makes. */
const kLines = [
  `import { createRequire } from 'node:module';`,
  `import { readFileSync } from 'node:fs';`,
  `const onig = createRequire(import.meta.url)(${JSON.stringify(kPackage)});`,
  `await onig.loadWASM({ data: readFileSync(new URL('app.wasm', import.meta.url)) });`,
  `const kept = [];`,
  `const find = (scanner) => scanner.findNextMatchSync('the heap grows', 0);`,
  `for (let round = 0; round < 12; ++round) {`,
  `  const scanner = onig.createOnigScanner(['[a-z]+s']);`,
  `  kept.push(find(scanner) && scanner);`,
  `}`,
];
const kLeak = 1 + kLines.findIndex((line) => line.includes('createOnigScanner'));

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  copyFileSync(join(kPackage, 'release/onig.wasm'), join(cli.folder, 'original.wasm'));
});
afterAll(() => cli?.dispose());

function leakOf(option: string, script: readonly string[]): string {
  writeFileSync(join(cli.folder, 'app.mjs'), script.join('\n'));
  const made = cli.run('instrument', 'original.wasm', option, '-o', 'app.wasm');
  expect(made.status, made.stderr).toBe(0);
  const ran = cli.run('run', '--symbols', 'original.wasm', '-o', 'app.hgtrace', 'app.mjs');
  expect(ran.status, ran.stderr).toBe(0);
  return cli.run('ask', 'what leaked', 'app.hgtrace').stdout;
}

test('the leak of a module without names has the file and the line of the script', () => {
  expect(leakOf('--callers', kLines)).toMatch(new RegExp(`^\`app\\.mjs:${kLeak}\` keeps growing: \\d+ blocks`));
});

test.runIf(kEvery)('without it the answer has no line, and says what would name it', () => {
  const said = leakOf('--stacks', kLines);
  expect(said).toMatch(/^`(wasm-function\[\d+\]|createOnigScanner)` keeps growing/); // a number, or the name of an export
  expect(said).toContain('heapglass instrument --callers goes on to the lines of JavaScript');
});

test.runIf(kEvery)('a source map says where the line really is', () => {
  const map = {
    version: 3,
    sources: ['src/grammar.ts'],
    names: [],
    mappings: kLines.map((_, nth) => (nth === 0 ? 'AAAA' : 'AACA')).join(';'), // line by line
  };
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const script = [...kLines, `//# sourceMappingURL=data:application/json;base64,${inline}`];
  expect(leakOf('--callers', script)).toMatch(new RegExp(`^\`grammar\\.ts:${kLeak}\` keeps growing`));
});

test('a program that is linked with heapglass is refused', () => {
  const script = cli.link('known', 'trace');
  const made = cli.run('instrument', script.replace(/\.js$/, '.wasm'), '--callers', '-o', 'out.wasm');
  expect(made.status).toBe(1);
  expect(made.stderr).toContain('leave --callers out');
});
