// Which script says what a module's allocator is, where the module and its JavaScript lie in different folders of one package.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import wabt from 'wabt';
import { candidates, firstOf } from '../../package/recorded/beside.ts';
import { scriptsOfPackage } from '../../package/recorded/package_scripts.ts';
import type { Named } from '../../web/src/instrument/family.ts';
import { ModuleProblem } from '../../web/src/instrument/module_problem.ts';
import { bumpAllocator } from '../package/bump_allocator.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heapglass-glue-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const short = bumpAllocator('a', 'b');
const glue = (malloc: string, free: string, file = '') => `_malloc=e["${malloc}"];_free=e["${free}"];load("${file}")`;

/** The folder's files, and the module at dist/app.wasm. */
function packageOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries({ 'dist/app.wasm': short, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return join(root, 'dist/app.wasm');
}

const kNamed = { 'package.json': '{ "name": "app" }' };
const saidFor = (file: string, bytes = short) => candidates({}, bytes, file).tried.slice(1);

/** An attempt that only what a script says satisfies. */
const refused = (named: Named): string => {
  if (named.malloc === undefined) throw new ModuleProblem('no_names', 'it has no names');
  return named.malloc;
};

test('a script in another folder of the package says it, and which one is said', () => {
  const file = packageOf({ ...kNamed, 'lib/esm/index.mjs': glue('a', 'b', 'app.wasm') });
  expect(saidFor(file)).toEqual([
    { named: { malloc: 'a', free: 'b' }, by: 'lib/esm/index.mjs of its package, which names app.wasm' },
  ]);
});

test('a script elsewhere that does not name the file may speak of another module, and is not believed', () => {
  const file = packageOf({ ...kNamed, 'src/glue.cjs': glue('a', 'b') });
  expect(saidFor(file)).toEqual([]);
});

test('a script that names the file speaks of it, and others do not', () => {
  const file = packageOf({ ...kNamed, 'a/other.js': glue('b', 'a'), 'z/one.js': glue('a', 'b', './app.wasm') });
  expect(saidFor(file)[0]?.named).toEqual({ malloc: 'a', free: 'b' });
});

test('what lies beside the module comes first', () => {
  const file = packageOf({ ...kNamed, 'dist/app.js': glue('a', 'b'), 'z/one.js': glue('b', 'a', 'app.wasm') });
  expect(saidFor(file)).toEqual([{ named: { malloc: 'a', free: 'b' }, by: 'app.js beside the module' }]);
});

test('of scripts beside the module that one is believed which is called like it, else the one that names it and not a longer name', () => {
  const said = (scripts: Readonly<Record<string, string>>) => saidFor(packageOf({ ...kNamed, ...scripts }));
  const named = { malloc: 'a', free: 'b' };
  const older = glue('b', 'a', 'my-app.wasm');
  expect(said({ 'dist/app.js': glue('a', 'b'), 'dist/older.js': glue('b', 'a') })).toEqual([
    { named, by: 'app.js beside the module' },
  ]);
  rmSync(join(root, 'dist/app.js'));
  const names = `${glue('a', 'b', 'app.wasm')};var another='my-app.wasm'`;
  expect(said({ 'dist/one.js': names, 'dist/older.js': older })).toEqual([{ named, by: 'one.js beside the module' }]);
});

test('of two that say different things none is believed, and both are named', () => {
  const file = packageOf({
    ...kNamed,
    'one/x.js': glue('a', 'b', 'app.wasm'),
    'two/x.js': glue('b', 'a', 'app.wasm'),
  });
  const found = candidates({}, short, file);
  expect(found.tried).toHaveLength(1);
  const which = 'it has no names; one/x.js and two/x.js say different functions: --glue names the one that loads it';
  expect(() => firstOf(found, refused)).toThrow(which);
});

/** Blocks of 8 KiB, the last freed one first; d and c take and give what malloc and free do, and are none. */
const works = async (freed = '(local.get 0)'): Promise<Uint8Array> => {
  const text = `(module (memory (export "memory") 20) (global $top (mut i32) (i32.const 1024)) (global $list (mut i32) (i32.const 0))
    (func (export "a") (param i32) (result i32) (local $block i32)
      (local.set $block (global.get $list))
      (if (local.get $block)
        (then (global.set $list (i32.load (local.get $block))))
        (else (local.set $block (global.get $top)) (global.set $top (i32.add (global.get $top) (i32.const 8192)))))
      (local.get $block))
    (func (export "b") (param i32) (i32.store (local.get 0) (global.get $list)) (global.set $list ${freed}))
    (func (export "c") (param i32))
    (func (export "d") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 8192))))`;
  return (await wabt()).parseWat('m.wat', text).toBinary({}).buffer;
};

test('of two that say different things that one is believed whose functions behave like malloc and free', async () => {
  const module = await works();
  const scripts = { 'dist/one.js': glue('d', 'c'), 'dist/two.js': glue('a', 'b') };
  const file = packageOf({ ...kNamed, ...scripts, 'dist/app.wasm': module });
  const by = 'two.js beside the module, of 2 pairs that scripts say the one that behaves so';
  expect(saidFor(file, module)).toEqual([{ named: { malloc: 'a', free: 'b' }, by }]);
});

test('so of a bundle that has the glue of several modules: each malloc is tried with each free', async () => {
  const module = await works();
  const text = `${glue('d', 'c')}\n${glue('a', 'b')}`;
  const file = packageOf({ ...kNamed, 'dist/bundle.js': text, 'dist/app.wasm': module });
  const by = 'bundle.js beside the module, of 4 pairs that scripts say the one that behaves so';
  expect(saidFor(file, module)).toEqual([{ named: { malloc: 'a', free: 'b' }, by }]);
  const lost = await works('(i32.const 0)'); // nothing is used again
  expect(() => firstOf(candidates({}, lost, file), refused)).toThrow(
    'it has no names; bundle.js says different functions, as a bundle of several modules does: --malloc and --free name them',
  );
});

test('a reason that no name would change stands alone', () => {
  const file = packageOf({ ...kNamed, 'one/x.js': glue('a', 'b', 'app.wasm'), 'two/x.js': glue('b', 'a', 'app.wasm') });
  const why = new ModuleProblem('several_memories', 'it has several memories');
  const attempt = () => {
    throw why;
  };
  expect(() => firstOf(candidates({}, short, file), attempt)).toThrow(why);
});

test('a manifest that only says a type does not end the package; a folder of packages does', () => {
  const file = packageOf({
    ...kNamed,
    'dist/package.json': '{ "type": "commonjs" }',
    'node_modules/other/index.js': glue('b', 'a', 'app.wasm'),
    '.cache/old.js': glue('b', 'a', 'app.wasm'),
    'js/index.js': glue('a', 'b', 'app.wasm'),
  });
  expect(saidFor(file)[0]?.named).toEqual({ malloc: 'a', free: 'b' });
});

test('a package inside another one is asked alone', () => {
  const file = packageOf({
    ...kNamed,
    'dist/package.json': '{ "name": "inner" }',
    'js/index.js': glue('a', 'b', 'app.wasm'),
  });
  expect(saidFor(file)).toEqual([]);
});

test('a module whose exports have names needs no script', () => {
  const plain = bumpAllocator('malloc', 'free');
  const file = packageOf({ ...kNamed, 'dist/app.wasm': plain, 'js/index.js': '_malloc=e.malloc' });
  expect(saidFor(file, plain)).toEqual([]);
});

test('a large package is read from the module outward, up to a limit that is said', () => {
  const many = Object.fromEntries(Array.from({ length: 505 }, (_, nth) => [`z/${nth}.js`, 'nothing()']));
  const file = packageOf({ ...kNamed, ...many, 'dist/far/index.js': 'near()' });
  const { scripts, limit } = scriptsOfPackage(file);
  expect(scripts[0]?.[0]).toBe('dist/far/index.js');
  expect([scripts.length, limit]).toEqual([500, 'of the scripts of its package only the nearest 500 were read']);
  expect(() => firstOf(candidates({}, short, file), refused)).toThrow(`it has no names; ${limit}`);
});
