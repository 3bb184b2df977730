// Which functions of a finished module are its allocator's, by the shape of what a toolchain writes.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { namesInGlue } from '../../web/src/instrument/glue_names.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';

const made = async (text: string): Promise<Uint8Array> =>
  (await wabt()).parseWat('m.wat', text).toBinary({ write_debug_names: false }).buffer;

/** Rust's alloc, dealloc, realloc and alloc_zeroed, stripped of names, behind wasm-bindgen's exports. */
const rust = (reallocCalls: string) => `(module
  (import "env" "log" (func $log (param i32)))
  (memory 1)
  (func $malloc (param i32) (result i32) (i32.load (local.get 0)))
  (func $memalign (param i32 i32) (result i32) (call $malloc (i32.add (local.get 0) (local.get 1))))
  (func $free (param i32) (i32.store (local.get 0) (i32.const 0)))
  (func $alloc (param i32 i32) (result i32)
    (if (result i32) (i32.ge_u (local.get 1) (i32.const 9))
      (then (call $memalign (local.get 1) (local.get 0)))
      (else (call $malloc (local.get 0)))))
  (func $alloc_zeroed (param i32 i32) (result i32)
    (i32.store8 (call $malloc (local.get 0)) (i32.const 0)) (i32.const 8))
  (func $panic (param i32 i32) (unreachable))
  (func $dealloc (param i32 i32 i32)
    (if (i32.eqz (local.get 1)) (then (call $panic (i32.const 1) (i32.const 2))))
    (call $free (local.get 0)))
  (func $realloc (param i32 i32 i32 i32) (result i32)
    ${reallocCalls}
    (i32.const 8))
  (func (export "__wbindgen_malloc") (param i32 i32) (result i32) (call $alloc (local.get 0) (local.get 1)))
  (func (export "__wbindgen_free") (param i32 i32 i32) (call $dealloc (local.get 0) (local.get 1) (local.get 2)))
  (func (export "__wbindgen_realloc") (param i32 i32 i32 i32) (result i32)
    (call $realloc (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  (func (export "main") (result i32) (call $log (i32.const 1)) (call $alloc_zeroed (i32.const 4) (i32.const 4))))`;

const callsAll = `(drop (call $malloc (i32.const 1))) (drop (call $memalign (i32.const 16) (i32.const 1))) (call $free (i32.const 8))`;

test("Rust's alloc_zeroed, which has no name, is seen by the malloc that it shares with alloc", async () => {
  const { family } = instrument(binaryen, await made(rust(callsAll)));
  // Indices as wasm counts functions: $log, which is imported, is 0.
  expect(family.members.map(({ role, index }) => [role.name, index])).toEqual([
    ['alloc', 4],
    ['free', 7],
    ['sized_realloc', 8],
    ['malloc', 1],
    ['memalign', 2],
    ['free', 3],
  ]);
});

/** A program that JavaScript gives texts to and gets none from. */
const withoutFree = (text: string): string => text.replace('(export "__wbindgen_free")', '');

test("where wasm-bindgen's free is not exported, a trial finds what takes back the blocks of its malloc", async () => {
  const asked: unknown[] = [];
  const triedCompanions = (_: unknown, malloc: number, free: number | undefined) => {
    asked.push([malloc, free]);
    return { free: [3] };
  };
  const { family } = instrument(binaryen, await made(withoutFree(rust(callsAll))), { triedCompanions });
  expect(asked).toEqual([[1, undefined]]);
  expect(family.members.map(({ role, index, foundAs }) => [role.name, index, foundAs])).toEqual([
    ['alloc', 4, 'called by __wbindgen_malloc'],
    ['sized_realloc', 8, 'called by __wbindgen_realloc'],
    ['malloc', 1, 'called by alloc'],
    ['memalign', 2, 'called by alloc'],
    ['free', 3, 'by a trial'],
  ]);
});

test('so it does where a function stands between that malloc and alloc', async () => {
  const between = withoutFree(rust(callsAll))
    .replace(
      '(func $panic',
      '(func $handed (param i32 i32) (result i32) (call $alloc (local.get 0) (local.get 1)))\n  (func $panic',
    )
    .replace(
      '(export "__wbindgen_malloc") (param i32 i32) (result i32) (call $alloc',
      '(export "__wbindgen_malloc") (param i32 i32) (result i32) (call $handed',
    );
  const { family } = instrument(binaryen, await made(between), { triedCompanions: () => ({ free: [3] }) });
  expect(family.members.map(({ role, index }) => [role.name, index])).toEqual([
    ['alloc', 6],
    ['sized_realloc', 9],
    ['malloc', 1],
    ['memalign', 2],
    ['alloc', 4],
    ['free', 3],
  ]);
});

test('a malloc of wasm-bindgen without any free is refused: its blocks would seem to live for ever', async () => {
  const module = await made(withoutFree(rust(callsAll)));
  for (const options of [{}, { triedCompanions: () => ({}) }])
    expect(() => instrument(binaryen, module, options)).toThrow('it has no function with a name that an allocator');
});

test('what alloc calls is no allocator where realloc does not call it', async () => {
  const { family } = instrument(binaryen, await made(rust('(drop (call $alloc (i32.const 1) (i32.const 4)))')));
  expect(family.members.map(({ role }) => role.name)).toEqual(['alloc', 'free', 'sized_realloc']);
});

test('the index that is printed is the one that --malloc takes', async () => {
  const module = await made(rust(callsAll));
  const malloc = instrument(binaryen, module).family.members.find(({ role }) => role.name === 'malloc');
  const [again] = instrument(binaryen, module, { named: { malloc: `${malloc?.index}` } }).family.members;
  expect(again).toMatchObject({ index: 1, func: malloc?.func });
});

test("a malloc and a realloc that the user names have Rust's roles where they take what Rust's take", async () => {
  const named = { malloc: '4', free: '7', realloc: '8' };
  const { family } = instrument(binaryen, await made(rust('')), { named });
  expect(family.members.map(({ role: { name, size, alignment } }) => ({ name, size, alignment }))).toEqual([
    { name: 'alloc', size: [0], alignment: 1 },
    { name: 'free', size: undefined, alignment: undefined },
    { name: 'sized_realloc', size: [3], alignment: 2 },
  ]);
});

/** wasm-bindgen gives its exports numbers, and its JavaScript passes them as arguments; then the same, as a bundler shortens it. */
const kGlue = `const ptr0 = passStringToWasm0(text, wasm.__wbindgen_export_1, wasm.__wbindgen_export2);
  const ptr1 = passArray8ToWasm0(bytes, wasm.__wbindgen_export_1);
  wasm.__wbindgen_export_0.get(state.dtor)(state.a, state.b);
  wasm.__wbindgen_export_0(arg0, arg1, addHeapObject(arg2));
  finally { wasm.__wbindgen_export_3(r0, r1 * 4, 4); }`;
const kShortened = 'const a=U(e,t.__wbindgen_export_1,t.__wbindgen_export2),i=m;t.__wbindgen_export_3(n,o,1)';
const kWithoutRealloc = 'const a=V(e,t.__wbindgen_export_1),i=m;t.__wbindgen_export_3(n,o,1)';

const numbered = async () =>
  made(
    rust(callsAll)
      .replace('__wbindgen_malloc', '__wbindgen_export_1')
      .replace('__wbindgen_realloc', '__wbindgen_export2')
      .replace('__wbindgen_free', '__wbindgen_export_3'),
  );

test.each([
  [kGlue, '__wbindgen_export2'],
  [kShortened, '__wbindgen_export2'],
  [kWithoutRealloc, undefined],
])("numbers instead of names are what wasm-bindgen's JavaScript does with them: %s", async (glue, realloc) => {
  const module = await numbered();
  const named = namesInGlue(glue, module);
  expect(named).toEqual({
    bindgen: { malloc: '__wbindgen_export_1', free: '__wbindgen_export_3', ...(realloc && { realloc }) },
  });
  const { family } = instrument(binaryen, module, { named });
  expect(family.members.map(({ role, index }) => [role.name, index])).toContainEqual(['alloc', 4]);
  expect(family.members.map(({ role, index }) => [role.name, index])).toContainEqual(['free', 7]);
});

test("of wasm-bindgen's JavaScript that frees nothing, what is given as malloc and realloc is taken, and a malloc alone is not", async () => {
  const module = await made(
    withoutFree(rust(callsAll))
      .replace('__wbindgen_malloc', '__wbindgen_export_1')
      .replace('__wbindgen_realloc', '__wbindgen_export2'),
  );
  const [texts = '', bytes = ''] = kGlue.split('\n');
  const bindgen = { malloc: '__wbindgen_export_1', realloc: '__wbindgen_export2' };
  expect(namesInGlue(texts, module)).toEqual({ bindgen });
  expect(namesInGlue(kGlue.slice(0, kGlue.indexOf('finally')), await numbered())).toEqual({ bindgen });
  expect(() => instrument(binaryen, module, { named: { bindgen } })).toThrow(/no function with a name/);
  expect(namesInGlue(bytes, module)).toEqual({});
});

/** wasm-bindgen's malloc and realloc ask whether size and alignment go together, by a function that newer compilers keep. */
const withCheck = (text: string) =>
  text
    .replace(
      '(func $panic',
      '(func $is_valid (param i32 i32) (result i32) (i32.lt_u (local.get 0) (local.get 1)))\n  (func $panic',
    )
    .replace(
      '(call $alloc (local.get 0) (local.get 1)))',
      '(if (result i32) (call $is_valid (local.get 0) (local.get 1)) (then (call $alloc (local.get 0) (local.get 1))) (else (unreachable))))',
    )
    .replace(
      '(call $realloc (local.get 0)',
      '(drop (call $is_valid (local.get 1) (local.get 2))) (call $realloc (local.get 0)',
    );

test('what malloc and realloc both call only checks arguments, and is no allocator', async () => {
  const { family } = instrument(binaryen, await made(withCheck(rust(callsAll))));
  expect(family.members.map(({ role, index }) => [role.name, index])).toEqual([
    ['alloc', 4],
    ['free', 8],
    ['sized_realloc', 9],
    ['malloc', 1],
    ['memalign', 2],
    ['free', 3],
  ]);
});

test('a module in which free is known and malloc is not is refused', async () => {
  const module = await made(withCheck(rust(callsAll)).replace('(export "__wbindgen_realloc")', '(export "resize")'));
  expect(() => instrument(binaryen, module)).toThrow(/no function with a name/);
});

test("the first of wasm-bindgen's numbered exports may have no number", async () => {
  const first = (text: string) => text.replaceAll('__wbindgen_export_1', '__wbindgen_export');
  const module = await made(
    first(rust(callsAll).replace('__wbindgen_malloc', '__wbindgen_export_1'))
      .replace('__wbindgen_realloc', '__wbindgen_export2')
      .replace('__wbindgen_free', '__wbindgen_export_3'),
  );
  const bindgen = { malloc: '__wbindgen_export', realloc: '__wbindgen_export2', free: '__wbindgen_export_3' };
  expect(namesInGlue(first(kGlue), module)).toEqual({ bindgen });
});

test.each([
  ['another malloc', `${kGlue} passStringToWasm0(text, wasm.__wbindgen_export_3, wasm.__wbindgen_export2)`],
  ['another free', `${kGlue} wasm.__wbindgen_export2(a, b, 1)`],
  ['exports that are not there', kGlue.replaceAll('_export_1', '_export_7')],
])('JavaScript that says %s is not believed', async (_, glue) => {
  const module = await numbered();
  expect(namesInGlue(glue, module)).toEqual({});
  expect(() => instrument(binaryen, module)).toThrow(/no function with a name/);
});

test('a side module is sent to the module that it takes malloc from', async () => {
  const side =
    await made(`(module (import "env" "memory" (memory 1)) (import "env" "malloc" (func $malloc (param i32) (result i32)))
    (func (export "main") (result i32) (call $malloc (i32.const 8))))`);
  expect(() => instrument(binaryen, side)).toThrow(
    /it imports malloc, .*: instrument the module that has the code of malloc/,
  );
});

test('a side module that takes no malloc is sent to the main one', async () => {
  const side = await made(
    '(module (import "env" "memory" (memory 1)) (func (export "__wasm_apply_data_relocs")) (func (export "tree_sitter_css") (result i32) (i32.const 8)))',
  );
  expect(() => instrument(binaryen, side)).toThrow(/it is a side module, .*: instrument the main module/);
});

test.each([
  'var _malloc = function () { return (_malloc = Module["asm"]["m"]).apply(null, arguments); };',
  'Module["_malloc"] = function () { return (Module["_malloc"] = Module["asm"]["m"]).apply(null, arguments); };',
  "Module['_malloc'] = wasmExports.m;",
  'r._malloc=e=>(r._malloc=wasmExports["m"])(e)',
  'c=c.exports;Module._webidl_free=c.n;Module._webidl_malloc=c.m;',
  'Module["_webidl_malloc"]=_webidl_malloc=wasmExports["n"];Module["_malloc"]=_malloc=wasmExports["m"];',
])("Emscripten's JavaScript says which short name is malloc: %s", async (glue) => {
  const module = await made(
    '(module (memory 1) (func (export "m") (param i32) (result i32) (i32.const 8)) (func (export "n") (param i32)))',
  );
  expect(namesInGlue(glue, module)).toMatchObject({ malloc: 'm' });
});

/** C's allocator, of which JavaScript uses malloc and free alone. */
const c = (resize: string, more = '') => `(module (memory 1)
  (func $malloc (export "malloc") (param i32) (result i32) (i32.load (local.get 0)))
  (func $free (export "free") (param i32) (i32.store (local.get 0) (i32.const 0)))
  (func $resize (param i32 i32) (result i32) (local i32) ${resize})
  (func (export "main") (result i32) (call $resize (i32.const 8) (i32.const 9))) ${more})`;
const kResize = `(if (i32.eqz (local.get 0)) (then (return (call $malloc (local.get 1)))))
  (local.set 2 (call $malloc (local.get 1))) (call $free (local.get 0)) (local.get 2)`;

test('a realloc that is not exported is found by what it calls, and that is said', async () => {
  const { family } = instrument(binaryen, await made(c(kResize)));
  expect(family.members.map(({ role, index }) => [role.name, index])).toEqual([
    ['malloc', 0],
    ['free', 1],
    ['realloc', 2],
  ]);
  expect(family.members.at(-1)?.foundAs).toBe('by what it calls');
  expect(family.notes).not.toContainEqual(expect.stringContaining('no realloc was found'));
});

test.each([
  ['frees another block', c(kResize.replace('(call $free (local.get 0))', '(call $free (local.get 2))'))],
  ['allocates another size', c(kResize.replaceAll('(call $malloc (local.get 1))', '(call $malloc (i32.const 64))'))],
  ['has a twin', c(kResize, `(func (param i32 i32) (result i32) (local i32) ${kResize})`)],
])('no realloc is found in a function that %s', async (_, text) => {
  const { family } = instrument(binaryen, await made(text));
  expect(family.members.map(({ role }) => role.name)).toEqual(['malloc', 'free']);
  expect(family.notes).toContainEqual(expect.stringContaining('no realloc was found'));
});

/** As newer compilers leave it: the allocator's state is a first argument, and realloc calls the allocator's own. */
const kWithState = `(module
  (memory 1)
  (func $malloc (param i32 i32) (result i32) (i32.load (local.get 1)))
  (func $memalign (param i32 i32 i32) (result i32) (call $malloc (local.get 0) (i32.add (local.get 1) (local.get 2))))
  (func $free (param i32 i32) (i32.store (local.get 1) (i32.const 0)))
  (func $resize (param i32 i32 i32) (result i32) (call $malloc (local.get 0) (local.get 2)))
  (func $error (param i32) (unreachable))
  (func $check (param i32 i32 i32) (i32.store (local.get 0) (local.get 2)))
  (func $alloc (param i32 i32) (result i32) (local i32)
    (local.set 2 (if (result i32) (i32.ge_u (local.get 1) (i32.const 9))
      (then (call $memalign (i32.const 512) (local.get 1) (local.get 0)))
      (else (call $malloc (i32.const 512) (local.get 0)))))
    (if (i32.eqz (local.get 2)) (then (call $error (local.get 0))))
    (local.get 2))
  (func $alloc_zeroed (param i32 i32) (result i32) (call $malloc (i32.const 512) (local.get 0)))
  (func $dealloc (param i32 i32 i32)
    (call $check (local.get 0) (local.get 1) (local.get 2)) (call $free (i32.const 512) (local.get 0)))
  (func $realloc (param i32 i32 i32 i32) (result i32)
    (drop (call $memalign (i32.const 512) (local.get 2) (local.get 3))) (call $free (i32.const 512) (local.get 0))
    (call $resize (i32.const 512) (local.get 0) (local.get 3)))
  (func (export "__wbindgen_malloc") (param i32 i32) (result i32) (call $alloc (local.get 0) (local.get 1)))
  (func (export "__wbindgen_free") (param i32 i32 i32) (call $dealloc (local.get 0) (local.get 1) (local.get 2)))
  (func (export "__wbindgen_realloc") (param i32 i32 i32 i32) (result i32)
    (call $realloc (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  (func (export "main") (result i32) (call $alloc_zeroed (i32.const 4) (i32.const 4))))`;

test("an allocator whose state is a first argument is found inside Rust's alloc, too", async () => {
  const { family } = instrument(binaryen, await made(kWithState));
  expect(
    family.members.map(({ role: { name, size, from, alignment, least, most }, index }) => ({
      ...{ name, index, size, from, alignment },
      parameters: [least, most],
    })),
  ).toEqual([
    { name: 'alloc', index: 6, size: [0], from: undefined, alignment: 1, parameters: [2, 2] },
    { name: 'free', index: 8, size: undefined, from: 0, alignment: undefined, parameters: [1, 3] },
    { name: 'sized_realloc', index: 9, size: [3], from: 0, alignment: 2, parameters: [4, 4] },
    { name: 'malloc', index: 0, size: [1], from: undefined, alignment: undefined, parameters: [2, 2] },
    { name: 'memalign', index: 1, size: [2], from: undefined, alignment: 1, parameters: [3, 3] },
    { name: 'free', index: 2, size: undefined, from: 1, alignment: undefined, parameters: [2, 2] },
  ]);
});

test('another constant is no state', async () => {
  const { family } = instrument(
    binaryen,
    await made(
      kWithState.replace(
        '(call $malloc (i32.const 512) (local.get 0)))))',
        '(call $malloc (i32.const 16) (local.get 0)))))',
      ),
    ),
  );
  expect(family.members.map(({ index }) => index)).toEqual([6, 8, 9]);
});

test('exports that only sound like an allocator are proposed, and not taken', async () => {
  const text = (free: string) => `(module (memory 1)
    (func (export "wasm_malloc") (param i32) (result i32) (i32.const 8)) (func (export "${free}") (param i32)))`;
  const sounds = await made(text('wasm_free'));
  expect(() => instrument(binaryen, sounds)).toThrow(
    /; "wasm_malloc" and "wasm_free" may be one or lead to it: --malloc wasm_malloc --free wasm_free$/,
  );
  const named = { malloc: 'wasm_malloc', free: 'wasm_free' };
  expect(instrument(binaryen, sounds, { named }).family.members.map(({ role }) => role.name)).toEqual([
    'malloc',
    'free',
  ]);
  const half = await made(text('drop_it'));
  expect(() => instrument(binaryen, half)).toThrow(/; --malloc and --free name them/);
});
