// heapglass view trace ...: serves the page of the package with the traces, on this machine alone.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { knownPartMeanwhile } from '../../web/src/report/verdict.ts';
import type { TraceFile } from '../../web/src/trace/trace_file.ts';
import { packaged } from './files.ts';
import { printLine, say } from './output.ts';
import { pathOf } from './paths.ts';
import { Problem } from './problem.ts';
import { readTrace } from './traces.ts';
import { sayVerdict } from './verdict.ts';
import { createViewServer } from './view_server.ts';

export interface ViewOptions {
  readonly port: number;
  readonly open?: boolean;
}

const kHost = '127.0.0.1';

/** Serves until the process is ended. */
export async function view(paths: readonly string[], { port, open }: ViewOptions): Promise<void> {
  const traces = paths.map((path) => pathOf(path));
  const files: TraceFile[] = [];
  for (const path of paths) files.push((await readTrace(path, 1)).file);
  const site = packaged('site');
  if (!existsSync(join(site, 'index.html'))) {
    throw new Problem(`${site} is missing; in a clone, npm run build:package makes the page`);
  }
  const address = await listen(site, traces, port);
  paths.forEach((path, n) => {
    printLine(`heapglass: ${path} is at ${address}/#trace=${placeOf(path, n)}`);
  });
  printLine('heapglass: Ctrl+C ends it');
  if (open === true) openBrowser(`${address}/#trace=${placeOf(paths[0] ?? '', 0)}`);
  for (const path of paths) {
    const file = files.shift(); // and its memory is given back
    if (file !== undefined) sayVerdict(path, (await knownPartMeanwhile(file, pause)).verdict);
  }
}

/** Until the requests that wait were answered. */
const pause = (): Promise<void> => new Promise((done) => void setImmediate(done));

const placeOf = (path: string, n: number): string => `traces/${n}/${encodeURIComponent(basename(path))}`;

async function listen(site: string, traces: readonly (string | Buffer)[], port: number): Promise<string> {
  const server = createViewServer(site, traces);
  return await new Promise((done, failed) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} is taken by another program; without --port a free one is found`;
      failed(error.code === 'EADDRINUSE' ? new Problem(taken) : error);
    });
    server.listen(port, kHost, () => done(`http://${kHost}:${(server.address() as AddressInfo).port}`));
  });
}

function openBrowser(address: string): void {
  const [command, ...given] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address];
  const child = spawn(command as string, given, { stdio: 'ignore', detached: true });
  child.on('error', () => say(`no browser could be opened; the address is ${address}`));
  child.unref();
}
