// The package's README stands alone: it names every entry and every name of it, and its examples do what they say.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { type Installed, installPacked, root } from './installed.ts';
import { serve } from './static_server.ts';

const text = readFileSync(join(root, 'package/README.md'), 'utf8');
const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}));
const examples = (language: string): string[] =>
  blocks.filter((block) => block.language === language).map(({ code }) => code);

let installed: Installed;

beforeAll(() => {
  installed = installPacked();
});
afterAll(() => installed?.dispose());

describe('the README of the package', () => {
  test('is the one in the tarball', () => {
    expect(readFileSync(join(installed.folder, 'node_modules/heapglass/README.md'), 'utf8')).toBe(text);
  });

  test('names every entry', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: object };
    const entries = Object.keys(manifest.exports).map((entry) => `\`heapglass${entry.slice(1)}\``);
    expect(entries.filter((entry) => !text.includes(entry))).toEqual([]);
  });

  test.each(['index', 'trace', 'shrink', 'attach', 'instrumented', 'visualizer', 'define'])(
    'names all that package/%s.ts exports',
    (entry) => {
      const source = readFileSync(join(root, `package/${entry}.ts`), 'utf8');
      const names = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
        list.split(',').map((name) => name.replace(/\btype\b/, '').trim()),
      );
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => name !== '' && !text.includes(`\`${name}`))).toEqual([]);
    },
  );

  test('names every option of createHeap, and every function of a heap', () => {
    const types = readFileSync(join(root, 'web/src/heap/heap_types.ts'), 'utf8');
    const members = (name: string): string[] => {
      const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(types)?.[1] ?? '';
      return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:<]/gm)].map(([, member = '']) => member);
    };
    const views = /^[uif]\d+$/;
    for (const name of [
      'HeapOptions',
      'HeapBlocks',
      'Heap',
      'TracedHeap',
      'Pool',
      'MemoryPool',
      'PoolOptions',
      'MemoryPoolOptions',
    ]) {
      const missing = members(name).filter(
        (member) => !views.test(member) && !new RegExp(`\\b${member}\\b`).test(text),
      );
      expect({ name, missing }).toEqual({ name, missing: [] });
      expect(members(name).length, name).toBeGreaterThan(0);
    }
  });

  test.each(examples('js').map((code) => [code.trim().split('\n').slice(2, 4).join(' '), code]))(
    '%s ...',
    (_, code) => {
      const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, printed]) => printed);
      expect(expected.length).toBeGreaterThan(0);
      writeFileSync(join(installed.folder, 'example.mjs'), code);
      expect(installed.run('node', 'example.mjs').trim().split('\n')).toEqual(expected);
    },
  );

  test('its page shows a heap', async () => {
    const [page = ''] = examples('html');
    const map = JSON.stringify({
      imports: {
        'heapglass/full': './node_modules/heapglass/dist/package/full.js',
        'heapglass/visualizer/define': './node_modules/heapglass/dist/visualizer/define.js',
      },
    });
    writeFileSync(join(installed.folder, 'example.html'), `<script type="importmap">${map}</script>${page}`);
    const server = await serve(installed.folder);
    const browser = await chromium.launch(launchOptions());
    try {
      const opened = await browser.newPage();
      const problems: string[] = [];
      opened.on('pageerror', (error) => problems.push(String(error)));
      await opened.addInitScript(() =>
        addEventListener('hg-frame', (event) =>
          Object.assign(globalThis, { chunks: (event as CustomEvent).detail.chunks }),
        ),
      );
      await opened.goto(`${server.address}/example.html`);
      await opened.waitForFunction(() => (globalThis as { chunks?: number }).chunks ?? 0 > 400, undefined, {
        timeout: 20_000,
      });
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });

  test('its program is linked by its line, and runs', () => {
    const [program = ''] = examples('c');
    const line = examples('sh').find((code) => code.startsWith('emcc')) ?? '';
    writeFileSync(join(installed.folder, 'app.c'), program);
    const emcc = `emcc() { ${join(root, 'wasm-build.sh')} emcc "$@"; }`;
    installed.run(
      'bash',
      '-c',
      `${emcc}; ${line.replace('app.js', 'app.wasm').replace('emcc app.c', 'emcc app.c -sSTANDALONE_WASM')}`,
    );
    expect(installed.run('node', '--no-warnings', 'run_wasi.mjs', 'app.wasm')).toBe('a block at a multiple of 8: 0\n');
  });
});
