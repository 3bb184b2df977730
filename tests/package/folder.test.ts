// `npm install <the project's folder>`: the folder is no package before it is built, and says so. Its own install is left alone.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './installed.ts';

let folder: string;
const clone = () => join(folder, 'clone');
const user = () => join(folder, 'user');

/** A clone's manifest and script as they are, without the packages that only its own development needs. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-folder-'));
  for (const path of ['clone/tools', 'user']) mkdirSync(join(folder, path), { recursive: true });
  const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object & {
    devDependencies?: unknown;
  };
  writeFileSync(join(clone(), 'package.json'), JSON.stringify(manifest));
  copyFileSync(join(root, 'tools/prepare.mjs'), join(clone(), 'tools/prepare.mjs'));
  writeFileSync(join(user(), 'package.json'), '{ "name": "user", "private": true }');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kQuiet = ['--offline', '--no-audit', '--no-fund'];
const install = (cwd: string, ...args: string[]) =>
  spawnSync('npm', ['install', ...kQuiet, ...args], { cwd, encoding: 'utf8' });

/** Since version 12 npm links a folder without running its script, but shows its command; it runs what packs the folder. */
const kBlocksScripts = Number(execFileSync('npm', ['--version'], { encoding: 'utf8' }).split('.')[0]) >= 12;

test.each([[[]], [['--install-links']]])('another project learns what to run (flags: %j)', (flags) => {
  const { status, stderr } = install(user(), '../clone', ...flags);
  if (kBlocksScripts && flags.length === 0) {
    expect(stderr).toContain('heapglass@');
  } else {
    expect(status).not.toBe(0);
    expect(stderr).toContain("this is the project's folder, not its package");
  }
  expect(stderr).toContain('npm run setup -- packages emcc && npm run package');
});

test('a folder that was built can be installed', () => {
  mkdirSync(join(clone(), 'dist/package'), { recursive: true });
  writeFileSync(join(clone(), 'dist/package/index.js'), '');
  expect(install(user(), '../clone').status).toBe(0);
  expect(existsSync(join(user(), 'node_modules/heapglass/dist/package/index.js'))).toBe(true);
});

test("the folder's own install and pack build nothing and do not fail", () => {
  expect(install(clone()).status).toBe(0);
  expect(execFileSync('npm', ['ci', ...kQuiet], { cwd: clone(), encoding: 'utf8' })).not.toContain('not its package');
  expect(existsSync(join(clone(), 'dist'))).toBe(false);
});
