// The declarations of the tarball, compiled strictly and with themselves checked: for pages, for workers, for a host that has
// neither, as modules of Node and of bundlers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { someOf } from '../every.ts';
import { type Installed, installPacked } from './installed.ts';

let installed: Installed;

beforeAll(() => {
  installed = installPacked();
});
afterAll(() => installed?.dispose());

const kStrict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];

const kLibraries = [
  ['es2022', 'consumer_heap.ts'],
  ['es2022,dom', 'consumer.ts'],
  ['es2022,webworker', 'consumer_heap.ts'],
  ['es2022,dom', 'consumer_heap.ts'],
] as const;

test.each(someOf(kLibraries, 2))('with the library %s, %s compiles', (lib, source) => {
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const options = ['--ignoreConfig', '--noEmit', '--target', 'es2022', '--lib', lib, '--types', '', ...kStrict];
    expect(installed.runTool('tsc', ...options, '--module', module, '--moduleResolution', resolution, source)).toBe('');
  }
});

test('a mistake in the declarations would be found', () => {
  const options = ['--ignoreConfig', '--noEmit', '--target', 'es2022', '--lib', 'es2022', '--types', '', ...kStrict];
  expect(() => installed.runTool('tsc', ...options, '--module', 'nodenext', 'consumer.ts')).toThrow(); // it needs the DOM
});
