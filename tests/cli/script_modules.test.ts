// heapglass instrument of a script that has its module inside.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery, someOf } from '../every.ts';
import { bumpAllocator } from '../package/bump_allocator.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

const kPairs = 100;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
});
afterAll(() => cli?.dispose());

/** A module that asks whether the engine has something, as scripts have beside their own. */
const kProbe = 'WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0));';
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const plain = bumpAllocator('malloc', 'free');
const short = bumpAllocator('a', 'b');

const scriptOf = (bytes: string, malloc = 'malloc', free = 'free'): string => `${kProbe}
  const bytes = ${bytes};
  const { instance: { exports: wasmExports } } = await WebAssembly.instantiate(bytes);
  const _malloc = wasmExports["${malloc}"], _free = wasmExports["${free}"];
  for (let nth = 0; nth < ${kPairs}; ++nth) _free(_malloc(8));
  console.log('done', bytes.length);`;

/** As Emscripten 6 writes and reads it. */
const kDecode =
  '((text) => Uint8Array.from(text, (c) => c.charCodeAt(0)).map((c, i) => (text.charCodeAt(i) > 255 ? 0 : c)))';
const asText = (bytes: Uint8Array, zero: string): string =>
  Array.from(bytes, (byte) =>
    byte === 0 ? zero : String.fromCharCode(byte).replace(/["\\\r\n]/, (c) => JSON.stringify(c).slice(1, -1)),
  ).join('');

const kWays: readonly (readonly [name: string, script: string])[] = [
  ['base64, with short names', scriptOf(`Buffer.from('${base64(short)}', 'base64')`, 'a', 'b')],
  ['base64', scriptOf(`Buffer.from('${base64(plain)}', 'base64')`)],
  ['a text', scriptOf(`${kDecode}("${asText(plain, '\0')}")`)],
  ['a text without zeros', scriptOf(`${kDecode}("${asText(plain, '\u0100')}")`)],
  ['an escaped text', scriptOf(`${kDecode}("${asText(plain, '\\x00')}")`)],
  ['a data URL', scriptOf(`Buffer.from("data:application/wasm;base64,${base64(plain)}".split(',')[1], 'base64')`)],
  ['decimal bytes', scriptOf(`new Uint8Array([${[...plain].join(', ')}])`)],
  [
    'hexadecimal bytes',
    scriptOf(`Uint8Array.of(\n${[...plain].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(',\n')})`),
  ],
];

test.each(someOf(kWays))('a module as %s is exchanged, and records its heap', (_, script) => {
  writeFileSync(join(cli.folder, 'app.mjs'), script);
  const made = cli.run('instrument', 'app.mjs');
  expect(made.stderr).toMatch(/found malloc.*\n[\s\S]*app\.hg\.mjs: /);
  expect(made.status).toBe(0);
  const ran = cli.run('run', '-o', 'app.hgtrace', 'app.hg.mjs');
  expect(ran.stdout).toMatch(/^done \d+\n$/);
  const read = decodeTraceFile(readFileSync(join(cli.folder, 'app.hgtrace')));
  if (!read.ok) throw new Error(read.error.message);
  expect(read.value.trace.count).toBeGreaterThan(6 * kPairs);
  // Everything around the literal is as before.
  const before = script.split('\n');
  const after = readFileSync(join(cli.folder, 'app.hg.mjs'), 'utf8').split('\n');
  expect(after.slice(-4)).toEqual(before.slice(-4));
  expect(after[0]).toBe(before[0]);
});

test.runIf(kEvery)(
  'a module in a file of JSON is exchanged; a script beside it, which has no module itself, says which functions allocate',
  () => {
    const beside = scriptOf('JSON.parse(readFileSync(new URL(file, import.meta.url)))', 'a', 'b').replace(kProbe, '');
    const script = (file: string): string => `import { readFileSync } from 'node:fs';
    const file = '${file}';
    ${beside.replace('instantiate(bytes)', `instantiate(Buffer.from(bytes, 'base64'))`)}`;
    const folder = join(cli.folder, 'apart');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'module.json'), JSON.stringify(base64(short)));
    writeFileSync(join(folder, 'other.mjs'), scriptOf(`Buffer.from('${base64(short)}', 'base64')`, 'b', 'a'));
    writeFileSync(join(folder, 'app.mjs'), script('module.hg.json'));
    const made = cli.run('instrument', 'apart/module.json');
    expect(made.stderr).toMatch(/found malloc \(a\).* by app\.mjs beside the module\n[\s\S]*module\.hg\.json: /);
    expect(made.status).toBe(0);
    expect(cli.run('run', '-o', 'apart.hgtrace', 'apart/app.mjs').stdout).toMatch(/^done \d+\n$/);
    const read = decodeTraceFile(readFileSync(join(cli.folder, 'apart.hgtrace')));
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.trace.count).toBeGreaterThan(6 * kPairs);
  },
);

test.each([
  [
    'a module that only asks the engine',
    kProbe,
    /"none\.mjs" has no module inside as a literal; name the \.wasm file that it loads/,
  ],
  ['no module', 'console.log(1)', /"none\.mjs" has no module inside as a literal; name the \.wasm file that it loads/],
  [
    'a module without names',
    scriptOf(`new Uint8Array([${[...short].join()}])`, 'b'.repeat(3), 'c'),
    /"none\.mjs" cannot be instrumented: its functions have no names/,
  ],
])('%s is refused, and nothing is written', (_, script, sentence) => {
  writeFileSync(join(cli.folder, 'none.mjs'), script);
  const { status, stderr } = cli.run('instrument', 'none.mjs');
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(1);
});
