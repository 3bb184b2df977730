// The plainest static server there is: files of a folder, their types, and headers if the test gives some; nothing else. What a
// user's web space does.

import { createReadStream, statSync } from 'node:fs';
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

export async function serve(
  folder: string,
  headers: Readonly<Record<string, string>> = {},
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
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}
