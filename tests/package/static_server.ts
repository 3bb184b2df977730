// The plainest static server there is: files of a folder, their types, and headers if the test gives some; nothing else. What a
// user's web space does.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const kTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/** What makes a page isolated, so that it may share memory with its workers. */
export const kIsolated: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** `first` before everything else in a page's head, so that none of its policies applies to it yet. */
const withFirst = (first: string, html: string): string => html.replace(/<head>|<html[^>]*>/, (tag) => tag + first);

/** `inHead`: what every page gets, a test's own script. */
export async function serve(
  folder: string,
  headers: Readonly<Record<string, string>> = {},
  inHead = '',
): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(folder, normalize(decodeURIComponent(pathname)));
    const isFile = path.startsWith(folder) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    if (!isFile) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-type': kTypes[extname(path)] ?? 'application/octet-stream' });
    if (inHead !== '' && extname(path) === '.html') response.end(withFirst(inHead, readFileSync(path, 'utf8')));
    else createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}
