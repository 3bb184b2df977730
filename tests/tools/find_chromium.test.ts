// The order in which a browser is looked for, and that a wrong $CHROMIUM is told instead of passed over.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findChromium, findCommand, findHeadless, launchOptions } from '../../tools/find_chromium.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-browser-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function program(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
}

test('$CHROMIUM comes before a browser on PATH', () => {
  const named = program('my-browser');
  program('chromium');
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CHROMIUM', named);
  expect(findChromium()).toBe(named);
});

test('a system Chromium comes before a system Chrome', () => {
  program('google-chrome');
  const chromium = program('chromium');
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CHROMIUM', '');
  expect(findChromium()).toBe(chromium);
});

test('tests start the shell without windows where there is one; who needs windows, and $CHROMIUM, get another', () => {
  const chromium = program('chromium');
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CHROMIUM', '');
  expect(findHeadless()).toBe(chromium);
  const shell = program('chromium-headless-shell');
  expect(findHeadless()).toBe(shell);
  expect(launchOptions().executablePath).toBe(shell);
  expect(launchOptions([], findChromium).executablePath).toBe(chromium);
  vi.stubEnv('CHROMIUM', chromium);
  expect(findHeadless()).toBe(chromium);
});

test('a $CHROMIUM that is no program is an error', () => {
  vi.stubEnv('CHROMIUM', join(folder, 'nothing'));
  expect(() => findChromium()).toThrow('$CHROMIUM is not a program');
});

test('a file that may not be run is no command', () => {
  writeFileSync(join(folder, 'emcc'), '');
  vi.stubEnv('PATH', folder);
  expect(findCommand('emcc')).toBeUndefined();
});
