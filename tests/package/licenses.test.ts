// What the package carries of others is named in it, with its licence: compared with what the shipped files themselves show.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installed, installPacked, root } from './installed.ts';

let installed: Installed;
let folder: string;
let licenses: string;

beforeAll(() => {
  installed = installPacked();
  folder = join(installed.folder, 'node_modules/heapglass');
  licenses = readFileSync(join(folder, 'THIRD_PARTY_LICENSES.md'), 'utf8');
});
afterAll(() => installed?.dispose());

const named = () => [...licenses.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name ?? '');
const packagesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? '');

test('each package that a comment of esbuild names in the command line has its section', () => {
  const bin = join(folder, 'dist/bin');
  const scripts = readdirSync(bin).filter((name) => name.endsWith('.mjs'));
  const inside = scripts.flatMap((name) =>
    packagesIn(readFileSync(join(bin, name), 'utf8'), /^\s*\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm),
  );
  expect(new Set(inside).size).toBeGreaterThan(5);
  expect([...new Set(inside)].filter((name) => !named().includes(name))).toEqual([]);
});

test('each package that the map and the page import has its section, and so have the fonts', () => {
  const sources = ['map', 'panels', 'dom', 'shell', 'trace'].flatMap((name) => {
    const at = join(root, 'web/src', name);
    const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    return files.map((file) => readFileSync(join(at, file), 'utf8'));
  });
  const imported = sources.flatMap((text) => packagesIn(text, /^import (?!type)[^;]*? from '(d3-[\w-]+|fflate)';/gm));
  expect(new Set(imported).size).toBeGreaterThan(5);
  const fonts = readdirSync(join(folder, 'dist/site/assets')).filter((name) => name.endsWith('.woff2'));
  const families = fonts.map((name) => `@fontsource-variable/${name.replace(/-latin-.*/, '')}`);
  expect(families.length).toBe(2);
  expect([...new Set([...imported, ...families])].filter((name) => !named().includes(name))).toEqual([]);
});

test('each section is a licence and its text; what is not shipped has none', () => {
  const sections = licenses.split(/^## /m).slice(1);
  for (const section of sections) expect(section).toMatch(/^\S+ [\d.]+\S*\n\n[\w.+-]+\n\n```text\n[\s\S]{300,}\n```/);
  expect(named()).not.toContain('binaryen');
  expect(named()).not.toContain('vite');
  expect(new Set(named()).size).toBe(named().length);
  expect(licenses).toContain('Rich Felker'); // what is compiled into the modules
});
