// Names in Emscripten's JavaScript: of what a module exports only functions can be an allocator's.

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { alternativesInGlue, namesInGlue } from '../../../web/src/instrument/glue_names.ts';

const kText = `(module
  (memory (export "a") 1)
  (global (export "b") i32 (i32.const 8))
  (table (export "c") 1 funcref)
  (func (export "d") (param i32) (result i32) (i32.const 8))
  (func (export "e") (param i32)))`;

test('a memory, a global or a table that is named on the way to malloc is passed over', async () => {
  const module = (await wabt()).parseWat('m.wat', kText).toBinary({}).buffer;
  for (const way of ['a', 'b', 'c']) {
    const glue = `_malloc=n.${way}.d;_free=n["${way}"]["e"];`;
    expect(namesInGlue(glue, module), way).toEqual({ malloc: 'd', free: 'e' });
  }
  expect(namesInGlue('_malloc=n.a;_free=n.b;', module)).toEqual({});
  expect(alternativesInGlue('_malloc=n.d;_free=n.e;_malloc=n.a;', module)).toEqual([]); // one malloc only
});

/** As embind's glue has it where variables have short names: i makes a std::string, o is given to a list of destructors. */
const embind = (...assigned: readonly string[]) =>
  `${assigned.map((each) => `${each};`).join('')}s=i(4+n+1);null!==q&&q.push(o,s);s=j(4+n+1);null!==q&&q.push(p,s);`;

test('functions that embind calls are the allocator only where each is one export, and not both the same', async () => {
  const text = kText.replace(/\)$/, '(func (export "f") (param i32) (result i32) (i32.const 8)))');
  const module = (await wabt()).parseWat('m.wat', text).toBinary({}).buffer;
  const said = (...assigned: readonly string[]) => namesInGlue(embind(...assigned), module);
  expect(said('i=n.d', 'o=n.e')).toEqual({ malloc: 'd', free: 'e' });
  expect(said('i=n.d', 'j=n.d', 'o=n.e', 'p=n.e')).toEqual({ malloc: 'd', free: 'e' });
  expect(said('i=n.d', 'o=n.e', 'p=n.f'), 'two for free').toEqual({});
  expect(said('i=n.d', 'j=n.f', 'o=n.e'), 'two for malloc').toEqual({});
  expect(said('i=n.d', 'o=n.d'), 'one for both').toEqual({});
  expect(said('i=n.d'), 'none for free').toEqual({});
  expect(said('o=n.e'), 'none for malloc').toEqual({});
});
