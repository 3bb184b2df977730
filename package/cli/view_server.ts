// The server of heapglass view: the page of the package and the traces given, for the browsers of this machine.
//
//   /                       the page                       /traces/<n>/<name>    the n-th trace given
//
//   S1  A request names one of the files known at the start. No path of the disk is ever made from what a request says.
//   S2  It answers only under its own name, so that a page of another site cannot reach it by a name of its own that leads here; and what
//       it answers belongs to pages of its own origin only.
//   S3  Only GET and HEAD. What a request brings along is not read.
//   S4  No request ends the server: one that fails is answered with 500, or its connection is closed.
//   S5  The headers isolate the page, so that it may share memory with its workers (vite.config.ts does the same).
//   S6  Slow visitors cost a bounded number of connections, and none of them a place of another visitor (connections.ts).

import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { boundConnections, kBounds, requestBounds } from './connections.ts';

const kTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const kHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'self'", // the rest of it the page says itself
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Listens nowhere yet. */
export function createViewServer(site: string, traces: readonly (string | Buffer)[], bounds = kBounds): Server {
  const pages = filesBelow(site);
  const server = createServer(requestBounds(bounds), (request, response) => {
    try {
      answer(request, response, (path) => traceAt(path, traces) ?? pages.get(path === '/' ? '/index.html' : path));
    } catch {
      refuse(response, 500, 'this request could not be answered'); // S4
    }
  });
  boundConnections(server, bounds); // S6
  return server;
}

function filesBelow(site: string): ReadonlyMap<string, string> {
  const entries = readdirSync(site, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(files.map((file) => [`/${relative(site, file).split(sep).join('/')}`, file]));
}

function traceAt(path: string, traces: readonly (string | Buffer)[]): string | Buffer | undefined {
  const found = /^\/traces\/(\d{1,6})\/[^/]*$/.exec(path);
  return found === null ? undefined : traces[Number(found[1])];
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fileAt: (path: string) => string | Buffer | undefined,
): void {
  const { method, url } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const path = isRead && isOwnName(request) ? pathOf(url ?? '/') : undefined;
  const file = path === undefined ? undefined : fileAt(path);
  if (!isRead)
    refuse(response, 405, 'only GET and HEAD are answered'); // S3
  else if (file === undefined) refuse(response, 404, 'not here');
  else send(file, method, response);
}

/** S2: the name in the address is this machine's. */
const isOwnName = ({ headers }: IncomingMessage): boolean =>
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '');

/** undefined: the address cannot be read. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
}

function send(file: string | Buffer, method: string, response: ServerResponse): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) {
    refuse(response, 404, 'not here any more');
    return;
  }
  const type = kTypes[typeof file === 'string' ? extname(file) : ''] ?? 'application/octet-stream';
  response.writeHead(200, { ...kHeaders, 'content-type': type, 'content-length': stats.size });
  if (method === 'HEAD' || stats.size === 0) response.end();
  else pipeline(createReadStream(file, { end: stats.size - 1 }), response, () => {}); // S4: both are closed where one fails
}

/** S3: the connection ends with it. */
function refuse(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { ...kHeaders, 'content-type': 'text/plain', connection: 'close' }).end(`${why}\n`);
}
