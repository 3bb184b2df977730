// wasm-bindgen's allocator by what its JavaScript says of numbered exports: what two places say alike is taken, and what they say differently not.

import { expect, test } from 'vitest';
import { bindgensInGlue } from '../../../web/src/instrument/bindgen_names.ts';

const exported = new Set(
  ['', ...Array.from({ length: 9 }, (_, n) => `_${n + 1}`), '2'].map((n) => `__wbindgen_export${n}`),
);
const found = (...lines: readonly string[]) => bindgensInGlue(lines.join('\n'), exported);
const [e1, e2, e3, e4] = [1, 2, 3, 4].map((n) => `__wbindgen_export_${n}`);

const ofText = (one = e1, other = e2) => `const ptr0 = passStringToWasm0(text, wasm.${one}, wasm.${other});`;
const ofBytes = (one = e1) => `const ptr0 = passArray8ToWasm0(bytes, wasm.${one});`;
const ofFree = (one = e3, rest = 'r0, r1 * 4, 4') => `wasm.${one}(${rest});`;

test('a text says which are malloc and realloc, and a call with an alignment which is free', () => {
  expect(found(ofText(), ofFree())).toEqual({ malloc: e1, realloc: e2, free: e3 });
  expect(found(ofText(), ofText(), ofFree(), ofFree(e3, 'a, b, 1'))).toEqual({ malloc: e1, realloc: e2, free: e3 });
  expect(found(ofText())).toEqual({ malloc: e1, realloc: e2 });
});

test('bytes say which is malloc where there is no text', () => {
  expect(found(ofBytes(), ofFree())).toEqual({ malloc: e1, free: e3 });
  expect(found(ofText(), ofBytes(e4), ofFree())).toEqual({ malloc: e1, realloc: e2, free: e3 });
  expect(found(ofBytes()), 'without a free that is too little').toBeUndefined();
});

test('the first export may have no number, and a bundler may call the module by a longer name', () => {
  expect(
    found('f(t, a.b$.c.__wbindgen_export, a.b$.c.__wbindgen_export2)', 'x.y.__wbindgen_export_3(p, n, 8)'),
  ).toEqual({
    malloc: '__wbindgen_export',
    realloc: '__wbindgen_export2',
    free: e3,
  });
});

test('what is said in two ways is not taken', () => {
  expect(found(ofText(), ofText(e1, e4), ofFree())).toBeUndefined();
  expect(found(ofText(e4, e2), ofText(), ofFree())).toBeUndefined();
  expect(found(ofText(), ofFree(), ofFree(e4))).toBeUndefined();
  expect(found(ofBytes(), ofBytes(e4), ofFree())).toBeUndefined();
  expect(found(ofText(), ofFree(e1)), 'malloc is no free').toBeUndefined();
});

test('what the module does not export, and calls of another form, say nothing', () => {
  expect(found(ofText('__wbindgen_export_77', e2), ofText(), ofFree())).toEqual({ malloc: e1, realloc: e2, free: e3 });
  expect(found('', 'let a = 1;')).toBeUndefined();
  for (const rest of ['r0, r1 * 4, 3', 'r0, r1', 'r0, r1, 4, 5', 'r0, r1 * 4, align'])
    expect(found(ofText(), ofFree(e3, rest)), rest).toEqual({ malloc: e1, realloc: e2 });
});
