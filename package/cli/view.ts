// heapglass view trace ...: serves the page of the package with the traces, on this machine alone.
//
//   /                       the page                       /traces/<n>/<name>    the n-th trace given
//
//   S1  Only files of the page's folder and the traces given are served, only to this machine, and only under its own
//       name: a page of another site cannot reach them by a name of its own that leads here.
//   S2  The headers isolate the page, so that it may share memory with its workers (vite.config.ts does the same).

import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join, normalize, resolve, sep } from 'node:path';
import { packaged, readTrace } from './files.ts';
import { Problem } from './problem.ts';

export interface ViewOptions {
  readonly port: number;
  readonly open?: boolean;
}

const kHost = '127.0.0.1';
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
  'cache-control': 'no-store',
};

/** Serves until the process is ended. */
export async function view(paths: readonly string[], { port, open }: ViewOptions): Promise<void> {
  const traces = paths.map((path) => resolve(path));
  for (const path of paths) {
    const { notice } = (await readTrace(path, 1)).file;
    if (notice !== undefined) console.error(`heapglass: ${path}: ${notice}`);
  }
  const site = packaged('site');
  if (!existsSync(join(site, 'index.html'))) {
    throw new Problem(`${site} is missing; in a clone, npm run build:package makes the page`);
  }
  const address = await listen(site, traces, port);
  paths.forEach((path, n) => {
    console.log(`heapglass: ${path} is at ${address}/#trace=${placeOf(path, n)}`);
  });
  console.log('heapglass: Ctrl+C ends it');
  if (open === true) openBrowser(`${address}/#trace=${placeOf(paths[0] ?? '', 0)}`);
}

const placeOf = (path: string, n: number): string => `traces/${n}/${encodeURIComponent(basename(path))}`;

async function listen(site: string, traces: readonly string[], port: number): Promise<string> {
  const server = createServer((request, response) => {
    const path = isOwnName(request) ? fileFor(request, site, traces) : undefined;
    if (path === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n');
    else send(path, request, response);
  });
  return await new Promise((done, failed) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} is taken by another program; without --port a free one is found`;
      failed(error.code === 'EADDRINUSE' ? new Problem(taken) : error);
    });
    server.listen(port, kHost, () => done(`http://${kHost}:${(server.address() as AddressInfo).port}`));
  });
}

/** S1: the name in the address is this machine's. */
const isOwnName = ({ headers }: IncomingMessage): boolean =>
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '');

function fileFor({ url }: IncomingMessage, site: string, traces: readonly string[]): string | undefined {
  const path = pathOf(url ?? '/');
  const trace = /^\/traces\/(\d+)\/[^/]*$/.exec(path);
  if (trace !== null) return traces[Number(trace[1])];
  const file = join(site, normalize(path === '/' ? '/index.html' : path));
  return file.startsWith(site + sep) && statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return '/';
  }
}

function send(path: string, request: IncomingMessage, response: ServerResponse): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  const type = kTypes[extname(path)] ?? 'application/octet-stream';
  if (size === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { ...kHeaders, 'content-type': type, 'content-length': size });
  if (request.method === 'HEAD') response.end();
  else
    createReadStream(path, { end: Math.max(0, size - 1) })
      .on('error', () => response.destroy())
      .pipe(response);
}

function openBrowser(address: string): void {
  const [command, ...given] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address];
  const child = spawn(command as string, given, { stdio: 'ignore', detached: true });
  child.on('error', () => console.error(`heapglass: no browser could be opened; the address is ${address}`));
  child.unref();
}
