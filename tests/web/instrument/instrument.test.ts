// What Binaryen keeps of the modules that it read for us: nothing.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import { instrument } from '../../../web/src/instrument/instrument.ts';

const moduleOf = (text: string): Uint8Array => {
  const module = binaryen.parseText(text);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
};
const kMalloc = '(func (export "malloc") (param i32) (result i32) (i32.const 1024))';

/** Where Binaryen's heap has space for a module now. */
function placeOfNext(): number {
  const module = new binaryen.Module();
  module.dispose();
  return (module as unknown as { readonly ptr: number }).ptr;
}

test.each([
  ['that was instrumented', `(module (memory 1) ${kMalloc})`, undefined],
  ['that was refused', `(module ${kMalloc})`, 'it has no memory'],
])('a module %s is given back to Binaryen, which has space for the next one in the same place', (_, text, refusal) => {
  const bytes = moduleOf(text);
  const places = Array.from({ length: 6 }, () => {
    if (refusal === undefined) instrument(binaryen, bytes);
    else expect(() => instrument(binaryen, bytes)).toThrow(refusal);
    return placeOfNext();
  });
  expect(new Set(places.slice(1)).size).toBe(1); // the first one may have met types that Binaryen had not seen
});
