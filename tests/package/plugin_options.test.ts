// What the plugins of bundlers take, and what they say of anything else.

import { expect, test } from 'vitest';
import { checkPluginOptions, type HeapglassOptions } from '../../package/recorded/plugin_options.ts';

test.each<HeapglassOptions>([
  {},
  { record: true },
  { record: false, stacks: undefined },
  { record: 'sampled' },
  { record: 'sampled', sample: 1 },
  { record: 'sampled', sample: 2 ** 30 },
  { key: 'h' },
  { key: '7' },
  { key: 'Ctrl+Alt+Shift+Meta+H' },
  { malloc: 'a', free: 'b' },
  { stacks: true, callers: true },
])('%o is taken', (options) => {
  expect(() => checkPluginOptions(options)).not.toThrow();
});

test.each([
  [{ record: 'sample' }, 'record is true, false or "sampled", not "sample"'],
  [{ record: 1 }, 'record is true, false or "sampled", not 1'],
  [{ record: 'sampled', sample: 0 }, 'sample is a number of bytes from 1 to 1073741824, not 0'],
  [{ record: 'sampled', sample: 2 ** 30 + 1 }, 'from 1 to 1073741824, not 1073741825'],
  [{ record: 'sampled', sample: 1.5 }, 'not 1.5'],
  [{ record: 'sampled', sample: '4096' }, 'not "4096"'],
  [{ sample: 4096 }, 'sample needs record: "sampled"'],
  [{ record: true, sample: 4096 }, 'sample needs record: "sampled"'],
  [{ key: '' }, '"" is no key; write it as "Alt+Shift+H"'],
  [{ key: 'Alt+' }, '"Alt+" is no key'],
  [{ key: 'Alt+F4' }, '"Alt+F4" is no key'],
  [{ key: 'Space+H' }, '"Space+H" is no key'],
  [{ key: 7 }, 'key is a string, not 7'],
  [{ stacks: 'yes' }, 'stacks is a boolean, not "yes"'],
  [{ stack: true }, 'there is no option "stack"; there are record, sample, key, stacks, callers, malloc, free'],
  [{ malloc: 'a' }, 'an allocator is named by malloc and free together, and free is missing'],
  [{ free: 'b' }, 'malloc and free together, and malloc is missing'],
  [{ calloc: 'c' }, 'malloc and free together, and malloc is missing'],
])('%o is refused', (options, sentence) => {
  expect(() => checkPluginOptions(options as HeapglassOptions)).toThrow(sentence);
  expect(() => checkPluginOptions(options as HeapglassOptions)).toThrow(/^heapglass\(\): /);
});
