// Handles of wasm-bindgen under Node, of a finished module that is instrumented; with the engine's finalizers too.

import { expect, test } from 'vitest';
import { figuresAt, lineOf, modelOf, rowOf } from './handle_rows.ts';
import { countersApp, recordCounters } from './recorded_counters.ts';

const kCounter = 12 + 96; // a count of strong and of weak references, a cell's flag, and the object
const kLabel = 12 + 12; // the same with a string, whose text is a block that the handle does not point to

/** What the program's trace says of handles at its end. */
function recorded(...given: readonly string[]) {
  const model = modelOf(recordCounters(...given));
  return figuresAt(model, model.history.head.seq);
}

const [counter, label, twice] = (['counter', 'label', 'twice'] as const).map((name) => lineOf(countersApp, name));

test('ten counters of a thousand are named, and nothing else but what stays as well', () => {
  const figures = recorded();
  expect(figures.groups.map(rowOf)).toEqual([
    `Counter leakCounters counters_app.js:${counter} 10 handles, 10 blocks, ${10 * kCounter} bytes`,
    `Twice derive counters_app.js:${twice} 2 handles, 2 blocks, ${2 * kCounter} bytes`,
    `Label (anonymous) counters_app.js:${label} 2 handles, 2 blocks, ${2 * kLabel} bytes`,
  ]);
  expect(figures).toMatchObject({ made: 2004, handles: 14, without_block: 0, collected: 0 });
});

test('what the engine has collected is deleted, late', () => {
  const figures = recorded('collect');
  expect(figures.groups.map(({ class: name }) => name)).toEqual(['Label']);
  expect(figures.collected).toBe(10);
  expect(figures.collected_groups.map(rowOf)).toEqual([
    `Counter leakCounters counters_app.js:${counter} 10 handles, 0 blocks, 0 bytes`,
  ]);
});
