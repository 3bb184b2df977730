// A program that runs texts and finds no memory: each thing it refuses is said in words.

import { expect, test } from 'vitest';
import { textOperations } from '../../../web/src/engine/text_operations.ts';
import type { LiveModule } from '../../../web/src/wasm/live_module.ts';

const kText = 'words';

/** A module whose program begins with this outcome and has its text there; 0: nowhere. */
function moduleWith(outcome: number, place: number): LiveModule {
  const views = { u8: new Uint8Array(64) };
  const functions = {
    program_begin: () => outcome,
    program_text: () => place,
    program_run: () => 0,
  };
  return { functions, views: { views }, call: (work: () => unknown) => work() } as unknown as LiveModule;
}

test('a program that cannot begin, and one without memory for its text, say so', () => {
  expect(() => textOperations(moduleWith(1, 8)).begin()).toThrow('the program found no memory to begin in');
  const none = textOperations(moduleWith(0, 0));
  none.begin();
  expect(() => [...none.run(kText)]).toThrow('the program has no memory left for the text');
});

test('the text lies where the program asked for it', () => {
  const module = moduleWith(0, 8);
  expect([...textOperations(module).run(kText)]).toEqual([]);
  expect(new TextDecoder().decode(module.views.views.u8.subarray(8, 8 + kText.length))).toBe(kText);
});
