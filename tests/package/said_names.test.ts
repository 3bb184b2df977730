// Which functions are the allocator, by what scripts beside a module say: whose text is believed, and when none is.

import { beforeAll, describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { allSaidBy, type Script, saidBy } from '../../package/recorded/said_names.ts';

let module: Uint8Array;
beforeAll(async () => {
  const tools = await wabt();
  const functions = ['a', 'b', 'c', 'd'].map((name) => `(export "${name}" (func 0))`).join('');
  module = tools.parseWat('m.wat', `(module (func) ${functions})`).toBinary({}).buffer;
});

const says = (malloc: string, free: string, more = '') => `_malloc=x.${malloc};_free=x.${free};${more}`;
const scriptsOf = (scripts: readonly Script[]) => allSaidBy(scripts, module, 'app.wasm').map(({ script }) => script);

describe('a script that names the file speaks of it', () => {
  test.each([
    ['quoted', 'fetch("app.wasm")'],
    ['behind a folder', "fetch('./dist/app.wasm')"],
    ['at the very end', 'app.wasm'],
    ['with a query', 'fetch("app.wasm?v=1")'],
    ['behind another that only ends so', 'fetch("my-app.wasm"),fetch("app.wasm")'],
  ])('%s', (_, text) => {
    const scripts: Script[] = [
      ['other.js', says('a', 'b')],
      ['own.js', says('c', 'd', text)],
    ];
    expect(allSaidBy(scripts, module, 'app.wasm')).toEqual([
      { named: { malloc: 'c', free: 'd' }, script: 'own.js', namesFile: true },
    ]);
  });

  test.each(['my-app.wasm', 'myapp.wasm', 'old.app.wasm', 'app.wasm.br', 'app.wasm2', 'app_wasm'])(
    'not with %s, which is another name',
    (name) => {
      const scripts: Script[] = [
        ['other.js', says('a', 'b')],
        ['own.js', says('c', 'd', `fetch("${name}")`)],
      ];
      expect(scriptsOf(scripts)).toEqual(['other.js', 'own.js']);
    },
  );
});

test('where no script that names the file says an allocator, the others are believed', () => {
  const scripts: Script[] = [
    ['loads.js', 'fetch("app.wasm")'],
    ['glue.js', says('a', 'b')],
  ];
  expect(saidBy(scripts, module, 'app.wasm')).toEqual({
    named: { malloc: 'a', free: 'b' },
    script: 'glue.js',
    namesFile: false,
  });
});

test.each(['app.js', './dist/app.mjs', 'https://x.test/lib/app.js?v=app.b#c', 'C:\\lib\\app.cjs'])(
  'where no script names the file, %s is called like it and speaks of it',
  (script) => {
    const scripts: Script[] = [
      ['other.js', says('a', 'b')],
      [script, says('c', 'd', 'fetch("renamed.wasm")')],
      ['my.app.js', says('b', 'a')],
    ];
    expect(scriptsOf(scripts)).toEqual([script]);
  },
);

test('a long address costs time in proportion to its length', () => {
  const address = `data:text/javascript,${'a.'.repeat(500_000)}`;
  expect(scriptsOf([[address, says('a', 'b')]])).toEqual([address]);
});

test('a script that names the file comes before one that is called like it', () => {
  const scripts: Script[] = [
    ['app.js', says('a', 'b')],
    ['other.js', says('c', 'd', 'fetch("app.wasm")')],
  ];
  expect(scriptsOf(scripts)).toEqual(['other.js']);
});

test('the same said twice is said once; two different things are believed by nobody', () => {
  const twice: Script[] = [
    ['one.js', says('a', 'b')],
    ['two.js', says('a', 'b')],
  ];
  expect(saidBy(twice, module, 'app.wasm')?.script).toBe('one.js');
  const others: Script[] = [...twice, ['three.js', says('c', 'b')]];
  expect([scriptsOf(others), saidBy(others, module, 'app.wasm')]).toEqual([['one.js', 'three.js'], undefined]);
  expect(saidBy([['none.js', 'free()']], module, 'app.wasm')).toBeUndefined();
});

test('of a script that says a malloc alone, and by embind another and its free, each malloc may go with that free', () => {
  const embind = 'i=n(4+e+1);n=u.asm.c;null!==q&&q.push(z,i);z=u.asm.d;';
  const named = (text: string) => allSaidBy([['bundle.js', text]], module, 'app.wasm').map((said) => said.named);
  expect(named(`_malloc=x.a;${embind}`)).toEqual([
    { malloc: 'a', free: 'd' },
    { malloc: 'c', free: 'd' },
  ]);
  expect(named(`_malloc=x.c;${embind}`)).toEqual([{ malloc: 'c' }]);
  expect(named('_malloc=x.a;')).toEqual([{ malloc: 'a' }]);
  expect(named(`${says('a', 'b')}${embind}`)).toEqual([{ malloc: 'a', free: 'b' }]);
});

test('several modules say several pairs, up to 16', () => {
  const letters = ['a', 'b', 'c', 'd'];
  const named = (mallocs: readonly string[], frees: readonly string[]) => {
    const text = [...mallocs.map((name) => `_malloc=x.${name};`), ...frees.map((name) => `_free=x.${name};`)].join('');
    return allSaidBy([['bundle.js', text]], module, 'app.wasm').length;
  };
  expect(named(letters, letters)).toBe(12); // 16, and four of them are one function twice
  expect(named(['a', 'b'], ['c'])).toBe(2);
});
