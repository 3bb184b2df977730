import { expect, test } from 'vitest';
import {
  foldedStack,
  frameParts,
  isFolded,
  ownFrames,
  rowOfFrame,
  spokenFrame,
  stackText,
  wholeStackText,
} from '../../../web/src/base/frames.ts';

test.each([
  ['load@src/load.cpp:12', { name: 'load', file: 'src/load.cpp', line: 12 }],
  ['load@node_modules/@scope/name/a.ts:7', { name: 'load', file: 'node_modules/@scope/name/a.ts', line: 7 }],
  ['load@a.wasm', { name: 'load', file: 'a.wasm', line: 0 }],
  ['@a.js:3', { name: '@a.js:3', file: '', line: 0 }], // no frame is without a name
  ['main', { name: 'main', file: '', line: 0 }],
])('%s has these parts', (frame, parts) => expect(frameParts(frame)).toEqual(parts));

test('a stack is shown from the first frame of the program itself', () => {
  const stack = [
    'operator new(unsigned long)@system/lib/libcxx/src/new.cpp:67',
    '_ZNSt3__221__libcpp_operator_newIJmEEEPvDpT_@/usr/share/emscripten/cache/sysroot/include/c++/v1/new:241',
    'std::__2::vector<int>::vector(unsigned long)@/usr/share/emscripten/cache/sysroot/include/c++/v1/vector:1102',
    'sort_all()@/home/me/src/planted.cpp:28',
    'run@/home/me/src/planted.cpp:39',
    'std::function<void ()>::operator()() const',
    'main',
  ];
  expect(stackText(stack)).toBe('sort_all planted.cpp:28 < run planted.cpp:39 < main');
  expect(ownFrames(stack.slice(0, 3))).toEqual(stack.slice(0, 3));
  const rust = [
    'alloc::raw_vec::finish_grow@/rustc/0a1b/library/alloc/src/raw_vec.rs:5',
    '<app::Parser as Trait>::feed@src/lib.rs:7',
  ];
  expect(ownFrames(rust)).toEqual([rust[1]]);
});

test('a long name is cut', () => {
  expect(rowOfFrame(`${'x'.repeat(100)}@a/b.cpp:3`)).toBe(`${'x'.repeat(69)}... b.cpp:3`);
});

test.each([
  ['malloc', true],
  ['calloc@/emsdk/system/lib/emmalloc.c:9', true],
  ['__wrap_realloc', true],
  ['__wbindgen_malloc', true],
  ['hashbrown::raw::RawTable<T>::reserve', true],
  ['~lib/rt/tlsf/allocateBlock', true],
  ['operator new(unsigned long)', true],
  ['malloc_statistics', false],
  ['my::malloc', false],
  ['standard::run', false],
])('%s is a frame of a library or allocator: %s', (frame, folded) => {
  expect(isFolded(frame)).toBe(folded);
});

test('a sentence has the function, and its file and line where they are known', () => {
  expect(spokenFrame('load@/home/me/load.cpp:12')).toBe('`load` (load.cpp:12)');
  expect(spokenFrame('load')).toBe('`load`');
  expect(spokenFrame('(anonymous namespace)::index_word(std::string<char, a>)@words.cpp:27')).toBe(
    '`index_word` (words.cpp:27)',
  );
  expect(spokenFrame('parse::list<int, pair<a, b>>::add(int) const@p.cpp')).toBe('`parse::list::add` (p.cpp)');
  expect(spokenFrame('<app::Parser as Trait>::feed')).toBe('`<app::Parser as Trait>::feed`');
  expect(spokenFrame('a::operator<(b)')).toBe('`a::operator<(b)`');
});

test.each([
  ['(anonymous namespace)::load(std::vector<int> const&)@src/load.cpp:12', 'load load.cpp:12'],
  ['operator new(unsigned long)@new.cpp', 'operator new(unsigned long) new.cpp'],
  ['main', 'main'],
])('a row says function, file and line: %s', (frame, row) => {
  expect(rowOfFrame(frame)).toBe(row);
});

test('a frame that says where it stands is the own one before a frame that does not', () => {
  const shipped = ['wasm-function[222]', 'createScanner', '(glue) make@/app/lib/onig.js:9', 'load@/app/grammar.mjs:14'];
  expect(ownFrames(shipped)).toEqual(['load@/app/grammar.mjs:14']);
  expect(ownFrames(['strdup', 'load@load.cpp:12', 'main'])).toEqual(['load@load.cpp:12', 'main']);
  expect(ownFrames(['malloc', 'draw', 'main'])).toEqual(['draw', 'main']);
  const library = ['createScanner', 'make@/app/node_modules/onig/main.js:1', 'load@/app/grammar.mjs:14'];
  expect(ownFrames(library)).toEqual(['load@/app/grammar.mjs:14']);
  const scoped = [
    'init@http://127.0.0.1:5173/node_modules/@automerge/automerge/dist/slim.js:105',
    'load@/app/@me/grammar.mjs:14',
  ];
  expect(ownFrames(scoped)).toEqual(['load@/app/@me/grammar.mjs:14']);
  expect(scoped.map(spokenFrame)).toEqual(['`init` (slim.js:105)', '`load` (grammar.mjs:14)']);
});

test('a function without a name is said by its place alone', () => {
  expect(spokenFrame('(anonymous)@/app/grammar.mjs:14')).toBe('`grammar.mjs:14`');
  expect(rowOfFrame('(anonymous)@/app/grammar.mjs:14')).toBe('grammar.mjs:14');
});

test('a folded stack has the program\u2019s own frames, those between two of a library too, and main once', () => {
  const stack = [
    'malloc',
    'operator new(unsigned long)',
    'add@a.cpp:3',
    'std::for_each',
    'load@a.cpp:9',
    '__original_main@a.cpp:20',
    'main',
  ];
  expect(foldedStack(stack)).toEqual(['add@a.cpp:3', 'load@a.cpp:9', '__original_main@a.cpp:20']);
  expect(stackText(stack)).toBe('add a.cpp:3 < load a.cpp:9 < main a.cpp:20');
  expect(wholeStackText(stack)).toBe('malloc < operator new(unsigned long) < add a.cpp:3 < ...');
  expect(foldedStack(['malloc', 'operator new(unsigned long)'])).toEqual(['malloc']);
});
