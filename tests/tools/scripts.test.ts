// The scripts of package.json run the tests that they name: what Vitest leaves out without HG_TEST=all is named by none that goes without.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kSlow } from '../../vitest.config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };

/** What a pattern with one {a,b} and a ** at its end means. */
const patterns = kSlow.map((pattern) => {
  const [, before = '', choices = '', after = ''] = /^([^{]*)(?:\{([^}]*)\})?(.*)$/.exec(pattern) ?? [];
  return choices.split(',').map((choice) => `${before}${choice}${after}`.replace(/\/\*\*$/, '/'));
});
/** Whether a name on the command line stands for a file that is left out, or a folder of such files alone. */
const isLeftOut = (path: string): boolean =>
  patterns.flat().some((left) => `${path}/`.startsWith(left) || left === path);

test('no script names a test that it does not run', () => {
  const named = Object.entries(scripts)
    .filter(
      ([, command]) =>
        command.includes('vitest run') && !command.includes('--config') && !command.includes('HG_TEST=all'),
    )
    .flatMap(([name, command]) =>
      command
        .split(' ')
        .filter((word) => word.startsWith('tests/'))
        .map((path) => [name, path] as const),
    );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(([, path]) => isLeftOut(path))).toEqual([]);
});

test('a folder, one of several names and a whole name are each recognized', () => {
  for (const path of ['tests/site', 'tests/instrument/thread_stacks.test.ts', 'tests/package/bundlers.test.ts'])
    expect(isLeftOut(path)).toBe(true);
  for (const path of ['tests/web', 'tests/instrument', 'tests/instrument/threads.test.ts'])
    expect(isLeftOut(path)).toBe(false);
});
