// A program linked with --shrink reads from the stack whether one of its functions runs: each engine shows it in its own way.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../package/installed.ts';
import { type Engine, findEngine, kEngines, startEngine } from './engines.ts';

const { outputFiles } = buildSync({
  entryPoints: [join(root, 'tests/web/shrink/running_calls.ts')],
  bundle: true,
  format: 'iife',
  write: false,
  logLevel: 'error',
});
const script = outputFiles[0]?.text;
const server = createServer((_, answer) =>
  answer
    .writeHead(200, { 'Content-Type': 'text/html' })
    .end(
      `<!doctype html><html lang="en"><title>calls</title><link rel="icon" href="data:," /><script>${script}</script>`,
    ),
);
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => server.close());

describe.each(kEngines)('%s', (name) => {
  const missing = findEngine(name);
  if (typeof missing === 'string') {
    console.log(`left out: ${missing}`);
    test.skip(missing, () => {});
    return;
  }
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(name, 'light');
  });
  afterAll(() => engine?.close());

  test('a call that has not returned is on the stack, and no other', async () => {
    await engine.driver.get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const found = await engine.driver.executeAsyncScript(
      'const done = arguments[arguments.length - 1]; askRunning().then(done, (error) => done(String(error)));',
    );
    const isShort = name === 'firefox'; // running.R3: null is undefined
    expect(found).toEqual({
      isRead: true,
      outside: false,
      within: true,
      withinDeep: isShort ? null : true,
      outsideDeep: isShort ? null : false,
      afterThrow: false,
      later: [false, false],
    });
    expect(await engine.problems()).toEqual([]);
  });
});
