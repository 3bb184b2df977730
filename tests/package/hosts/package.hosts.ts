// The package from its tarball in the hosts that are not Node: as it is, and bundled by Bun.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, installPacked } from '../installed.ts';

let installed: Installed;

beforeAll(() => {
  installed = installPacked();
  installed.run('npm', 'install', '--no-save', '--no-audit', '--no-fund', 'bun', 'deno');
});
afterAll(() => installed?.dispose());

const works = { chunksInUse: 1, broken: null, placed: 0 };
const kHosts = {
  bun: ['bun'],
  deno: ['deno', 'run', '--allow-read', '--allow-env', '--allow-write'],
  node: ['node'],
} as const;

function run(host: keyof typeof kHosts, script: string): unknown {
  const [command, ...flags] = kHosts[host];
  const path = host === 'node' ? command : join(installed.folder, 'node_modules/.bin', command);
  return JSON.parse(installed.run(path, ...flags, script));
}

describe.each(['bun', 'deno'] as const)('%s', (host) => {
  test.each(['plain', 'inline'])('runs a script over the package (%s)', (entry) => {
    expect(run(host, `bundled/${entry}.js`)).toEqual(works);
  });

  test('uses every part of the heap, and reads the trace', () => {
    expect(run(host, 'use_heap.mjs')).toMatchObject({ kept: 1, burst: 1000, broken: null, misuse: { code: 'misuse' } });
    expect(run(host, 'use_trace.mjs')).toMatchObject({ whole: true, notice: null, inUseAtStart: 0 });
  });
});

describe('bun build', () => {
  const bundle = (entry: string): string => {
    const out = `out-bun-${entry}`;
    installed.run(join(installed.folder, 'node_modules/.bin/bun'), 'build', `bundled/${entry}.js`, `--outdir=${out}`);
    writeFileSync(join(installed.folder, out, 'package.json'), '{ "type": "module" }');
    return `${out}/${entry}.js`;
  };

  test('with heapglass/inline has a heap', () => {
    expect(run('node', bundle('inline'))).toEqual(works);
  });

  test('without its module says what to do', () => {
    expect(run('node', bundle('plain'))).toMatchObject({
      code: 'no_module',
      message: expect.stringContaining('heapglass/inline'),
    });
  });
});
