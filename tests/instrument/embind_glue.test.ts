// Where a minifier renamed the variables of Emscripten's JavaScript too: how embind's conversion of texts shows malloc and free.

import binaryen from 'binaryen';
import { beforeAll, expect, test } from 'vitest';
import { namesInGlue } from '../../web/src/instrument/glue_names.ts';

let bytes: Uint8Array;
beforeAll(() => {
  const module = binaryen.parseText(`(module (memory 1)
    (func (export "H") (param i32) (result i32) (i32.const 8)) (func (export "J") (param i32)) (func (export "K") (param i32)))`);
  bytes = module.emitBinary();
  module.dispose();
});

/** As Emscripten writes it since 2.0, in short names of variables; then how they are the module's exports. */
const kTexts = `fromWireType:function(n){var t=_[n>>2];return nZ(n),s},toWireType:function(n,t){
  if(o=(i=n$(4+e+1))+4,_[i>>2]=e,r&&a){if(a=o)c(o)}return null!==n&&n.push(nZ,i),i}`;
const kWide = 'var o=i(e),u=n$(4+o+t);return _[u>>2]=o>>s,null!==n&&n.push(nZ,u),u';

test.each([
  [
    'functions that exchange themselves',
    kTexts,
    'function n$(){return(n$=u.asm.H).apply(null,arguments)}function nZ(){return(nZ=u.asm.J).apply(null,arguments)}',
  ],
  ['variables', kTexts, 'a={};n$=c.H;nZ=c.J;xd=c.K;'],
  ['quoted properties', kWide, 'n$=c["H"],nZ=c["J"]'],
  ['arrow functions', kWide, 'var n$=a=>(n$=X["H"])(a),nZ=a=>(nZ=X["J"])(a)'],
  ['spaces', 'let a = n$(4 + r + 1), o = a + 4; n !== null && n.push(nZ, a)', 'n$ = e.H, nZ = e.J'],
])('%s', (_, texts, exports) => {
  expect(namesInGlue(`${texts};${exports}`, bytes)).toEqual({ malloc: 'H', free: 'J' });
});

test('what else is put into lists is no free', () => {
  const other = 'i.push(e,o);e=c.K;';
  expect(namesInGlue(`${other}${kTexts};n$=c.H;nZ=c.J`, bytes)).toEqual({ malloc: 'H', free: 'J' });
});

test.each([
  ['two functions make texts', `${kTexts};x=yy(4+q+1);yy=c.K;n$=c.H;nZ=c.J`],
  ['a variable is two exports', `${kTexts};n$=c.H;n$=c.K;nZ=c.J`],
  ['nothing is freed', `${kTexts};n$=c.H`],
  ['the same function makes and frees', `${kTexts};n$=c.H;nZ=c.H`],
  ['the exports are not the module’s', `${kTexts};n$=c.Q;nZ=c.R`],
])('nothing is believed where %s', (_, glue) => {
  expect(namesInGlue(glue, bytes)).toEqual({});
});

test('a name that was kept comes before what is shown', () => {
  expect(namesInGlue(`${kTexts};n$=c.H;nZ=c.J;i._malloc=c.K`, bytes)).toEqual({ malloc: 'K' });
});
