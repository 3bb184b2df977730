// Between Vite and the browser: the answer to a request for wasm is held back, and its bytes are exchanged.
//
//   request for *.wasm ─▶ Vite answers into held, which is no socket ─▶ bytes ─▶ recorded ─▶ the browser
//
//   served.1  Whoever serves the module, a folder or another plugin, serves it as before: only its bytes are others.
//   served.2  Parts of a file and "not changed" would be of other bytes: such requests are made whole.
//   served.3  A script without the recorder has the module as it is (vite.1). A page is named by the request as its referrer, and so is
//             a worker; which scripts are workers' the browser says when it loads them.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Connect } from 'vite';
import type { Recorded } from '../recorded/recorded_wasm.ts';

export interface ServedOptions {
  readonly base: string;
  /** Where files with an address of their own lie, in this order. */
  readonly folders: readonly string[];
  readonly recorded: Recorded;
  /** Whether the worker at an address has the recorder. */
  readonly isPrepared: (address: string) => boolean;
}

const kIsWorker = /^(?:worker|sharedworker|serviceworker)$/;
const kAnyOrigin = 'http://any';

export function serveWasm({ base, folders, recorded, isPrepared }: ServedOptions): Connect.NextHandleFunction {
  const unprepared = new Set<string>();
  return (request, response, next) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', kAnyOrigin);
    const dest = String(request.headers['sec-fetch-dest'] ?? '');
    if (kIsWorker.test(dest) && !isPrepared(search)) unprepared.add(pathname + search);
    const isScript = searchParams.has('import') || searchParams.has('url') || searchParams.has('init');
    const from = referrerOf(request);
    if (
      request.method !== 'GET' ||
      !pathname.endsWith('.wasm') ||
      isScript ||
      from === undefined ||
      unprepared.has(from)
    )
      return next();
    const path = decodeURIComponent(pathname);
    for (const header of ['range', 'if-none-match', 'if-modified-since', 'accept-encoding'])
      delete request.headers[header]; // served.2
    holdBack(response, (bytes) => recorded(bytes, path, fileAt(path, base, folders)));
    next();
  };
}

function referrerOf(request: IncomingMessage): string | undefined {
  const { referer } = request.headers;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  return pathname + search;
}

function fileAt(path: string, base: string, folders: readonly string[]): string | undefined {
  const inside = path.startsWith(base) ? path.slice(base.length) : path.slice(1);
  const places = inside.startsWith('@fs/')
    ? [inside.slice('@fs'.length)]
    : folders.map((folder) => join(folder, inside));
  return places.find((place) => existsSync(place));
}

/** What is written into a response goes out when it has ended, as `exchange` makes it. */
function holdBack(response: ServerResponse, exchange: (bytes: Uint8Array) => Promise<Uint8Array>): void {
  const { write, end, writeHead } = response;
  const held: Buffer[] = [];
  const hold = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string')
      held.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) held.push(Buffer.from(chunk));
  };
  const lastOf = (args: readonly unknown[]): void => {
    const last = args.at(-1);
    if (typeof last === 'function') queueMicrotask(() => last());
  };

  async function send(): Promise<void> {
    const before = Buffer.concat(held);
    const bytes = response.statusCode === 200 ? await exchange(before) : before;
    if (response.destroyed) return;
    Object.assign(response, { write, end, writeHead });
    response.setHeader('content-length', bytes.length);
    if (bytes !== before) response.setHeader('etag', `"${createHash('sha256').update(bytes).digest('base64url')}"`);
    response.end(bytes);
  }

  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]): ServerResponse {
      response.statusCode = status;
      const headers = rest.find((it) => typeof it === 'object' && it !== null) as OutgoingHttpHeaders | undefined;
      for (const [name, value] of Object.entries(headers ?? {}))
        if (value !== undefined) response.setHeader(name, value);
      return response;
    },
    write(...args: unknown[]): boolean {
      hold(args[0], args[1]);
      lastOf(args);
      return true;
    },
    end(...args: unknown[]): ServerResponse {
      hold(args[0], args[1]);
      lastOf(args);
      void send().catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : new Error(String(error))),
      );
      return response;
    },
  });
}
