// The recorder of linked programs is one JavaScript library, built from TypeScript, that Emscripten 3.1.6 understands.

import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { checkForEmscripten, recorderLibrary } from '../../tools/build_recorder.mjs';
import { kRecorderStateLayout, kRingLayout } from '../../web/src/protocol/event_layout.ts';

/** What the library gives to Emscripten's linker. */
function merged(): Record<string, unknown> {
  const functions: Record<string, unknown> = {};
  const mergeInto = (_: object, more: object) => Object.assign(functions, more);
  runInNewContext(recorderLibrary(), { mergeInto, LibraryManager: { library: {} } });
  return functions;
}

test('the library has the two imports of a program, and what starts the recorder before its first event', () => {
  const functions = merged();
  const own = Object.keys(functions).filter((name) => !/__(deps|postset)$/.test(name));
  expect(own).toEqual(['$heapglassRecorder', '$startHeapglassRecorder', 'heapglass_begin', 'heapglass_take']);
  expect(functions['$startHeapglassRecorder__postset']).toBe('startHeapglassRecorder();');
  for (const name of own.slice(1)) expect(String(functions[name])).toMatch(/^function \(/); // B3
});

test('its layouts are those that are generated from the headers', () => {
  const text = String(merged()['$startHeapglassRecorder']);
  for (const [name, layout] of Object.entries({ kRingLayout, kRecorderStateLayout })) {
    const [, table = ''] = new RegExp(`var ${name} = (\\{[^}]*\\})`).exec(text) ?? [];
    expect(runInNewContext(`(${table})`)).toEqual({ ...layout });
  }
});

test.each([
  ['class Ring {}', 'ClassDeclaration'],
  ['const { head } = ring;', 'ObjectPattern'],
  ['for (const [name] of all) take(name);', 'ArrayPattern'],
  ['take(({ head }) => head);', 'ObjectPattern'],
  ['const take = (most = kMost) => most;', 'AssignmentPattern'],
  ['take({ ...ring, head });', 'ObjectExpression'],
  ['ring?.take();', 'Unexpected token'],
  ['  #if ASSERTIONS', 'preprocessor reads: #if ASSERTIONS'],
  ['const text = `{{{ makeGetValue() }}}`;', 'preprocessor reads: const text'],
])('what Emscripten 3.1.6 cannot take fails the build: %s', (text, what) => {
  expect(() => checkForEmscripten(`take();\n${text}\n`)).toThrow(what);
});
