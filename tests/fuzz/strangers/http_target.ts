// Requests to the server of heapglass view, byte by byte and several on a connection: it goes on serving, and nothing outside of what it
// serves comes back.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createViewServer } from '../../../package/cli/view_server.ts';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import type { Target } from './target.ts';

const kSecret = 'a secret outside of the site';
const kAnswerMs = 5000;
const kAsk = (port: number) => `GET / HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`;

const oneOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const kMethods = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PRI',
  'M-SEARCH',
  'get',
  '',
  '\0',
];
const kPieces = [
  '..',
  '.',
  '%2e%2e',
  '%252e%252e',
  '%c0%ae',
  '%00',
  '%',
  '%zz',
  '\\',
  '%5c',
  '/',
  '//',
  '?',
  '#',
  '*',
  'traces',
  '0',
  '1',
  '-1',
  '1e3',
  '%30',
  'index.html',
  'outside.txt',
  '__proto__',
  'a'.repeat(3000),
  ':',
  '@',
  'http:',
  '[',
  ';',
  '\u00e9',
  '%E0%A4%A',
];
const kHeaders = [
  'content-length: 5',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'transfer-encoding: chunked',
  'transfer-encoding: chunked, identity',
  'expect: 100-continue',
  'upgrade: h2c',
  'connection: upgrade',
  'connection: keep-alive',
  'range: bytes=0-1',
  'range: bytes=-99999999999',
  'host: evil.example',
  'x: \x00',
  ': empty',
  'x',
  'if-none-match: *',
  `x: ${'y'.repeat(20_000)}`,
  'cookie: a=b',
  'origin: https://evil.example',
  ' folded',
];
const kHosts = [
  'localhost',
  '127.0.0.1',
  '[::1]',
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost:1:2',
  '0',
  '127.1',
  '',
  'localhost@evil.example',
  'LOCALHOST',
  '127.0.0.1\t',
];

function requestOf(random: Random, port: number): string {
  const path = Array.from({ length: 1 + random.below(6) }, () => oneOf(random, kPieces)).join(
    oneOf(random, ['/', '', '/']),
  );
  const host = random.below(3) > 0 ? `localhost:${port}` : oneOf(random, kHosts);
  const headers = Array.from({ length: random.below(4) }, () => `${oneOf(random, kHeaders)}\r\n`).join('');
  const version = oneOf(random, ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 x', '']);
  const body =
    random.below(4) === 0 ? oneOf(random, ['hello', '5\r\nhello\r\n0\r\n\r\n', 'ffffffffff\r\n', '\0\0\0']) : '';
  let text = `${oneOf(random, kMethods)} ${random.below(5) > 0 ? '/' : ''}${path} ${version}\r\nhost: ${host}\r\n${headers}\r\n${body}`;
  for (let n = random.below(4) - 1; n > 0; --n) {
    const at = random.below(text.length);
    text = text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + random.below(3));
  }
  return random.below(10) === 0 ? text.slice(0, random.below(text.length)) : text;
}

export async function httpTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-fuzz-http-'));
  writeFileSync(join(folder, 'outside.txt'), kSecret);
  const site = mkdtempSync(join(folder, 'site-'));
  writeFileSync(join(site, 'index.html'), '<p>the page</p>');
  writeFileSync(join(folder, 'a.hgtrace'), Buffer.alloc(100_000, 'trace '));
  const server = createViewServer(site, [join(folder, 'a.hgtrace')]);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;

  /** What comes until the other end closes, `quietMs` are over, or this end has read enough. */
  const send = (parts: readonly string[], quietMs: number, readAtMost = 1 << 20): Promise<string> =>
    new Promise((done) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => {
        for (const part of parts) socket.write(part, 'latin1');
      });
      socket.setTimeout(quietMs, () => socket.destroy());
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        if (answer.length >= readAtMost) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => done(answer));
    });

  return {
    async run(seed) {
      const random = createRandom(seed);
      const parts = Array.from({ length: 1 + random.below(4) }, () => requestOf(random, port));
      const answer = await send(parts, 15, random.below(5) === 0 ? 100 : 1 << 20);
      if (answer.includes(kSecret)) throw new Error('it reads a file outside of the site');
      if (/access-control-allow/i.test(answer)) throw new Error('it lets another origin read');
      const after = await send([kAsk(port)], kAnswerMs);
      if (!after.includes('the page')) throw new Error(`it serves no more: "${after.slice(0, 100)}"`);
      const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
      return statuses.slice(0, 3).join(' ') || 'no answer';
    },
    dispose() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
