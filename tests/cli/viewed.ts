// What view and a report's page need to be looked at: the server as a child process, and pages whose problems are kept.

import { type ChildProcess, spawn } from 'node:child_process';
import { type Browser, chromium, type Page } from '@playwright/test';
import { launchOptions } from '../../tools/find_chromium.mjs';

export interface Viewed {
  readonly addresses: readonly string[];
  readonly pid: number;
  end(): void;
}

/** Starts `heapglass view` in a folder; ready when it has printed the addresses. */
export async function startView(command: string, folder: string, ...args: readonly string[]): Promise<Viewed> {
  const server: ChildProcess = spawn(process.execPath, [command, 'view', ...args], { cwd: folder });
  let said = '';
  await new Promise<void>((ready, failed) => {
    server.stdout?.on('data', (data) => {
      said += String(data);
      if (said.includes('Ctrl+C')) ready();
    });
    server.on('exit', () => failed(new Error(`view ended: ${said}`)));
  });
  const addresses = [...said.matchAll(/http:\S+/g)].map(([address]) => address);
  return { addresses, pid: server.pid ?? 0, end: () => server.kill() };
}

export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch(launchOptions());
}

/** A page whose errors, warnings and failed requests are kept. */
export async function watchedPage(
  browser: Browser,
  width: number,
  height: number,
  more: object = {},
): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext({ viewport: { width, height }, ...more })).newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
  return { page, problems };
}

/** Events of the trace that the glass shows. */
export const headOf = (page: Page): Promise<string | null> =>
  page.getByRole('slider', { name: 'Time, in events' }).getAttribute('aria-valuemax');
