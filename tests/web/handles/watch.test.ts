// Whose trace a handle is written into, and where its frames are. The glue is played as embind's does it: Object.create with a record.

import { expect, test } from 'vitest';
import { frameText, handleWatch, scriptAbove } from '../../../web/src/handles/watch.ts';
import { type HandleMark, readHandleMark } from '../../../web/src/trace/handle_marks.ts';

function recorder(glue: string) {
  const marks: HandleMark[] = [];
  const made = {
    count: 0,
    mark(text: string): void {
      const mark = readHandleMark(text);
      if (mark !== undefined) marks.push(mark);
    },
    marks,
    of: (is: HandleMark['is']) => marks.filter((mark) => mark.is === is),
  };
  handleWatch().add(made, glue);
  return made;
}

handleWatch(); // before the glue (glue.1)
const kHere = scriptAbove(0);
let pointers = 0;

/** A class of glue in the script of a name; it gives its objects. */
function glueClass(script: string, name: string): () => object {
  const prototype = {};
  const make = new Function(
    'prototype',
    'record',
    `return Object.create(prototype, { $$: { value: record } });\n//# sourceURL=${script}`,
  );
  return () => make(prototype, { ptr: 1000 + 8 * pointers++, ptrType: { registeredClass: { name } } }) as object;
}

const registry = new FinalizationRegistry(() => {});

test('frames that were written before a source map is known are written again, once; later ones where they really are', () => {
  const here = recorder(kHere);
  const make = (name: string) => {
    here.count += 1;
    Object.create({}, { $$: { value: { ptr: 64, ptrType: { registeredClass: { name } } } } });
  };
  make('Early');
  const early = here.of('frame');
  expect(early.length).toBeGreaterThan(0);
  const asked: number[] = [];
  handleWatch().resolveBy((frame, found) => {
    asked.push(frame.line);
    found({ ...frame, file: 'app.ts', line: 7 });
  });
  const again = here.of('frame').slice(early.length);
  expect(again.map((mark) => mark.is === 'frame' && mark.nth)).toEqual(
    early.map((mark) => mark.is === 'frame' && mark.nth),
  );
  expect(again.every((mark) => mark.is === 'frame' && mark.frame.endsWith('@app.ts:7'))).toBe(true);
  const before = here.of('frame').length;
  make('Late');
  const late = here.of('frame').slice(before);
  expect(late.length).toBe(early.length);
  expect(late.every((mark) => mark.is === 'frame' && mark.frame.endsWith('@app.ts:7'))).toBe(true);
  handleWatch().resolveBy(() => {
    throw new Error('the first one stays');
  });
  expect(handleWatch().placed({ name: 'f', file: 'a.js', line: 1, column: 1, script: 'a.js' })).toMatchObject({
    file: 'app.ts',
    line: 7,
  });
});

test('handles of a glue that nobody named wait until one of the programs was called alone, and are all its own then', () => {
  const one = recorder('');
  const other = recorder('');
  const makeCounter = glueClass('bundle.js', 'Counter');
  one.count = 5;
  other.count = 7;
  const first = makeCounter();
  registry.unregister(first); // deleted, before it is known whose it is
  makeCounter(); // nobody was called since
  expect([...one.marks, ...other.marks]).toEqual([]);
  other.count += 1;
  makeCounter();
  expect(one.marks).toEqual([]);
  expect(other.of('made').map((mark) => 'handle' in mark && mark.handle)).toEqual([1, 2, 3]);
  expect(other.of('deleted')).toEqual([{ is: 'deleted', handle: 1 }]);
  expect(other.of('origin')).toMatchObject([
    { className: 'Counter', pointsTo: 'pointer' },
    { className: 'Counter' },
    { className: 'Counter' },
  ]);
});

test('handles belong to the program whose glue made them, and those of another script to a program without', () => {
  const here = recorder(kHere);
  const bundled = recorder('');
  const prototype = {};
  const record = { ptr: 4096, ptrType: { registeredClass: { name: 'Here' } } };
  here.count += 1;
  const handle = Object.create(prototype, { $$: { value: record } }) as object;
  expect(here.of('made')).toMatchObject([{ handle: 1, address: 4096 }]);
  const makeThere = glueClass('elsewhere.js', 'There');
  bundled.count += 1;
  makeThere();
  expect(here.of('made')).toHaveLength(1);
  expect(bundled.of('made')).toHaveLength(1);
  registry.unregister(handle);
  registry.unregister(handle);
  expect(here.of('deleted')).toEqual([{ is: 'deleted', handle: 1 }]);
});

test.each([
  [{ name: 'load', file: 'app.js' }, 'load@app.js:12'],
  [{ name: '', file: 'app.js' }, '(anonymous)@app.js:12'],
  [{ name: 'n'.repeat(80), file: 'app.js' }, `${'n'.repeat(50)}@app.js:12`],
  [{ name: 'load', file: `http://host/${'d'.repeat(300)}/app.js` }, `load@${'d'.repeat(186)}/app.js:12`],
])('a frame has its name and the end of a long address', (frame, text) => {
  expect(frameText({ ...frame, line: 12, column: 3, script: frame.file })).toBe(text);
  expect(text.length).toBeLessThanOrEqual(201);
});
