// heapglass view, the command itself, under visitors who send byte by byte, send nothing, never end a body or read no answer: it goes on
// serving, what they hold of it is bounded, and a request that takes too long ends.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { kBounds } from '../../package/cli/connections.ts';
import { createViewServer } from '../../package/cli/view_server.ts';
import { kEvery, someOf } from '../every.ts';
import { type BareCommand, buildBareCommand } from './bare_command.ts';
import { namedTrace } from './named_trace.ts';
import { startView, type Viewed } from './viewed.ts';

const kPage = '<p>the page</p>';
const kCrowd = 2000;
const kReaders = 400; // each costs a file, too
const kTraceBytes = 32 << 20; // more than a system keeps for a reader who does not read

let cli: BareCommand;
let viewed: Viewed;
let port: number;
const open = new Set<Socket>();

beforeAll(async () => {
  cli = await buildBareCommand();
  mkdirSync(join(cli.folder, '.dist/site'), { recursive: true });
  cli.write('.dist/site/index.html', kPage);
  cli.write('.dist/site/large.bin', Buffer.alloc(kTraceBytes, 7));
  cli.write('a.hgtrace', namedTrace('one'));
  viewed = await startView(cli.command, cli.folder, 'a.hgtrace');
  port = Number(new URL(viewed.addresses[0] ?? '').port);
}, 60_000);
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});
afterAll(() => {
  viewed?.end();
  cli?.dispose();
});

/** A connection on which `text` was sent; it stays. */
const visit = (text: string, to = port): Promise<Socket> =>
  new Promise((done) => {
    const socket = connect(to, '127.0.0.1');
    open.add(socket);
    socket.on('error', () => done(socket));
    socket.on('close', () => done(socket));
    socket.on('connect', () => socket.write(text, () => done(socket)));
  });
const crowd = (text: string, count = kCrowd, to = port): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => visit(text, to)));

async function expectServes(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  expect(await response.text()).toBe(kPage);
}

/** Open files and sockets of the server's process. */
function openFiles(): number {
  return existsSync(`/proc/${viewed.pid}/fd`) ? readdirSync(`/proc/${viewed.pid}/fd`).length : 0;
}

const kHost = 'host: localhost\r\n';
test.each(
  someOf([
    ['that stop in their headers', `GET / HTTP/1.1\r\n${kHost}x: `, kBounds.mostWaiting, kCrowd],
    ['that say nothing', '', kBounds.mostWaiting, kCrowd],
    [
      'whose body never ends',
      `GET / HTTP/1.1\r\n${kHost}content-length: 1000000\r\n\r\nabc`,
      kBounds.mostWaiting,
      kCrowd,
    ],
    [
      'whose upload never ends',
      `POST / HTTP/1.1\r\n${kHost}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`,
      0,
      kCrowd,
    ],
    ['that were answered and stay', `GET / HTTP/1.1\r\n${kHost}\r\n`, kBounds.mostWaiting, kCrowd],
    ['that read no answer', `GET /large.bin HTTP/1.1\r\n${kHost}\r\n`, kBounds.mostAnswered, kReaders],
  ] as const),
)('connections %s: it serves others, and keeps few of many', async (_, text, most, count) => {
  const before = openFiles();
  const sockets = await crowd(text, count);
  if (text.includes('large')) for (const socket of sockets) socket.pause();
  else for (const socket of sockets) socket.resume();
  await expectServes();
  const mostFiles = before + 2 * most + 8; // an answer has a file as well
  await expect.poll(openFiles, { timeout: 20_000 }).toBeLessThan(mostFiles);
  await expectServes();
});

test('a visitor who asks only after a crowd has come is served; of a larger crowd few stay', async () => {
  const bounds = { ...kBounds, mostNew: 2 * kBounds.mostWaiting, newMs: 60_000 };
  const server = createViewServer(join(cli.folder, '.dist/site'), [], bounds);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port: at } = server.address() as AddressInfo;
  const connections = () => new Promise<number>((done) => server.getConnections((_, count) => done(count)));
  const visitor = await visit('', at);
  let answer = '';
  visitor.on('data', (data) => {
    answer += String(data);
  });
  const ended = new Promise((done) => visitor.once('close', done));
  await crowd('', bounds.mostNew - 1, at);
  await expect.poll(connections, { timeout: 60_000 }).toBe(bounds.mostNew);
  visitor.write(`GET / HTTP/1.1\r\n${kHost}connection: close\r\n\r\n`);
  await ended;
  expect(answer).toContain(kPage);
  for (const socket of await crowd('', bounds.mostNew, at)) socket.resume();
  await expect.poll(connections, { timeout: 60_000 }).toBe(bounds.mostNew);
  server.closeAllConnections();
  server.close();
});

test.runIf(kEvery)(
  'headers that come one byte at a time from a crowd: each byte costs the others nothing',
  async () => {
    const sockets = (await crowd('GET / HTTP/1.1\r\nx: ')).slice(-kBounds.mostWaiting);
    for (let byte = 0; byte < 50; ++byte) {
      for (const socket of sockets) if (socket.writable) socket.write('y');
      await expectServes();
    }
  },
);

test('a request that is not whole in time ends; a visitor who comes meanwhile is served', async () => {
  const bounds = { ...kBounds, longestRequestMs: 600 };
  const server = createViewServer(join(cli.folder, '.dist/site'), [], bounds);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port: at } = server.address() as AddressInfo;
  const endings = ['', 'GET / HT', `GET / HTTP/1.1\r\n${kHost}x: `].map(async (text) => {
    const socket = await visit(text, at);
    const dripping = setInterval(() => socket.writable && text !== '' && socket.write('y'), 50); // never silent
    await new Promise((closed) => socket.once('close', closed).resume());
    clearInterval(dripping);
  });
  const whole = await fetch(`http://127.0.0.1:${at}/`, { headers: { connection: 'close' } });
  expect(await whole.text()).toBe(kPage);
  await Promise.all(endings);
  server.closeAllConnections();
  server.close();
});

test('an answer that nobody reads ends', async () => {
  const server = createViewServer(join(cli.folder, '.dist/site'), [], { ...kBounds, stalledMs: 500 });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port: at } = server.address() as AddressInfo;
  const socket = await visit(`GET /large.bin HTTP/1.1\r\n${kHost}\r\n`, at);
  socket.pause();
  const connections = () => new Promise<number>((done) => server.getConnections((_, count) => done(count)));
  await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  server.close();
});
