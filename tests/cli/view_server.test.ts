// No request ends heapglass view, and none reads anything but the page and the traces. The requests are written byte by byte, as no
// client library would.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createViewServer } from '../../package/cli/view_server.ts';

const kTraceBytes = 8 << 20;

let folder: string;
let server: Server;
let port: number;
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heapglass-view-'));
  mkdirSync(join(folder, 'site/assets'), { recursive: true });
  mkdirSync(join(folder, 'a folder.hgtrace'));
  writeFileSync(join(folder, 'site/index.html'), '<p>the page</p>');
  writeFileSync(join(folder, 'site/assets/a b.js'), '1;');
  writeFileSync(join(folder, 'outside.txt'), 'a secret');
  writeFileSync(join(folder, 'gone.hgtrace'), 'gone');
  writeFileSync(join(folder, 'empty.hgtrace'), '');
  writeFileSync(join(folder, 'large.hgtrace'), Buffer.alloc(kTraceBytes, 7));
  const traces = ['large.hgtrace', 'gone.hgtrace', 'a folder.hgtrace', 'empty.hgtrace'].map((name) =>
    join(folder, name),
  );
  server = createViewServer(join(folder, 'site'), traces);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  rmSync(join(folder, 'gone.hgtrace'));
  process.on('uncaughtException', note);
});
afterAll(() => {
  process.off('uncaughtException', note);
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** What comes back until the connection ends, or after `readAtMost` bytes, when it is cut. */
function send(text: string | readonly string[], readAtMost = 1 << 16): Promise<string> {
  return new Promise((done) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of typeof text === 'string' ? [text] : text) socket.write(part, 'latin1');
    });
    socket.setTimeout(1500, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      if (answer.length >= readAtMost) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => done(answer));
  });
}

const get = (path: string, more = '', method = 'GET') =>
  send(`${method} ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${more}connection: close\r\n\r\n`);
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

const kPaths: readonly [string, number][] = [
  ['/', 200],
  ['/index.html', 200],
  ['/assets/a%20b.js', 200],
  ['/traces/3/any', 200],
  ['/%00', 404],
  ['/index.html%00', 404],
  ['/traces/0/%00', 200], // the name is not read
  [`/${'a'.repeat(5000)}`, 404],
  [`/${'a/'.repeat(5000)}`, 404],
  ['/%', 404],
  ['/%E0%A4%A', 404],
  ['/%ff%fe', 404],
  ['//', 404],
  ['///etc/passwd', 404],
  ['*', 404],
  ['http://[/', 404],
  ['/../outside.txt', 404],
  ['/%2e%2e/outside.txt', 404],
  ['/..%2foutside.txt', 404],
  ['/assets/..%5c..%5coutside.txt', 404],
  ['/assets', 404],
  ['/traces/1/gone', 404],
  ['/traces/2/a-folder', 404],
  ['/traces/4/none', 404],
  ['/traces/99999999999999999999/none', 404],
  ['/traces/-1/none', 404],
  ['/traces/__proto__/none', 404],
  ['/__proto__', 404],
  ['/constructor', 404],
];

async function stillServes(): Promise<void> {
  expect(await get('/')).toContain('the page');
  expect(uncaught).toEqual([]);
}

test.each(kPaths.map(([path, status]) => [path.slice(0, 50), status, path] as const))(
  'a request of %s is answered by %i',
  async (_, status, path) => {
    const answer = await get(path);
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toContain('secret');
    expect(statusOf(await get(path, '', 'HEAD'))).toBe(status);
    await stillServes();
  },
);

const kHost = () => `host: localhost:${port}\r\n`;
test.each<[string, () => Promise<string>, number]>([
  ['headers of a megabyte', () => get('/', `x: ${'y'.repeat(1 << 20)}\r\n`), 431],
  ['ten thousand headers', () => get('/', 'a: b\r\n'.repeat(10_000)), 431],
  ['no HTTP at all', () => send('\0\xff\x01 what\r\n\r\n'), 400],
  ['half a line', () => send('GET / HT'), 0],
  ['no host', () => send('GET / HTTP/1.0\r\n\r\n'), 404],
  ['the host of another site', () => send('GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n'), 404],
  ['another method', () => get('/', '', 'DELETE'), 405],
  ['TRACE', () => get('/', '', 'TRACE'), 405],
  ['a tunnel', () => get('localhost:1', '', 'CONNECT'), 0],
  ['an upgrade', () => get('/', 'upgrade: websocket\r\n'), 200],
  ['a body that is expected', () => get('/', 'expect: 100-continue\r\ncontent-length: 5\r\n'), 100],
  ['an unknown expectation', () => get('/', 'expect: more\r\n'), 417],
  ['two lengths', () => get('/', 'content-length: 5\r\ncontent-length: 6\r\n'), 400],
  ['a bad chunk', () => send(`POST / HTTP/1.1\r\n${kHost()}transfer-encoding: chunked\r\n\r\nzz\r\n`), 405],
  ['an upload that is broken off', () => send(`POST / HTTP/1.1\r\n${kHost()}content-length: 99999\r\n\r\nabc`, 1), 405],
  ['a trace that is broken off', () => send(`GET /traces/0/x HTTP/1.1\r\n${kHost()}\r\n`, 1000), 200],
  [
    'a range that is broken off',
    () => send(`GET /traces/0/x HTTP/1.1\r\n${kHost()}range: bytes=5-9\r\n\r\n`, 1000),
    200,
  ],
  ['many in one', () => send(`GET /%00 HTTP/1.1\r\n${kHost()}\r\n`.repeat(100)), 404],
])('%s does not end the server', async (_, request, status) => {
  expect(statusOf(await request())).toBe(status);
  await stillServes();
});

test('a hundred visitors who leave in the middle leave nothing open', async () => {
  const leave = () => send(`GET /traces/0/x HTTP/1.1\r\n${kHost()}\r\n`, 1);
  await Promise.all(Array.from({ length: 100 }, leave));
  await stillServes();
  const open = () => new Promise<number>((done) => server.getConnections((_, count) => done(count)));
  await expect.poll(open).toBe(0);
});

test('a trace comes whole, and pages of other origins may not use it', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/traces/0/large.hgtrace`);
  expect((await answer.arrayBuffer()).byteLength).toBe(kTraceBytes);
  const { headers } = answer;
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
