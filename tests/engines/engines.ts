// Three browsers as anyone has them, each driven through its own W3C WebDriver.
//
//   engine     browser                       driver            Debian's packages
//   Chromium   chromium                      chromedriver      chromium, chromium-driver
//   Firefox    firefox-esr or firefox        geckodriver       firefox-esr (EN4)
//   WebKit     MiniBrowser of WebKitGTK      WebKitWebDriver   webkit2gtk-driver, xvfb
//
//   EN1  $CHROMEDRIVER, $GECKODRIVER and $WEBKITDRIVER name a driver that is not on PATH.
//   EN2  WebKit draws on a display of its own (Xvfb). MiniBrowser listens to its driver with --automation only.
//   EN3  WebKit reports nothing that pages write to the console: kListener, put into the served pages, keeps it for problems().
//   EN4  Without geckodriver, firefox_driver.mjs beside this file is Firefox' driver.

import { type ChildProcess, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';
import { findChromium, findCommand } from '../../tools/find_chromium.mjs';

export const kEngines = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof kEngines)[number];
export type Scheme = 'light' | 'dark';

export interface Engine {
  readonly name: EngineName;
  readonly driver: WebDriver;
  readonly version: string;
  /** Errors and warnings that pages wrote since the last call. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Found {
  readonly driver: string;
  readonly browser: string;
}

/** What an engine needs and is not there, in words; or where it is. */
export function findEngine(name: EngineName): Found | string {
  const parts = {
    chromium: { driver: named('CHROMEDRIVER', 'chromedriver'), browser: findChromium() },
    firefox: {
      driver: named('GECKODRIVER', 'geckodriver') ?? kFirefoxDriver,
      browser: findCommand('firefox-esr') ?? findCommand('firefox'),
    },
    webkit: { driver: named('WEBKITDRIVER', 'WebKitWebDriver'), browser: findMiniBrowser() },
  }[name];
  if (parts.browser === undefined) return `${name}: no browser is installed`;
  if (parts.driver === undefined) return `${name}: its WebDriver is not installed`;
  if (name === 'webkit' && findCommand('Xvfb') === undefined) return 'webkit: Xvfb is not installed';
  return { driver: parts.driver, browser: parts.browser };
}

const kFirefoxDriver = fileURLToPath(new URL('firefox_driver.mjs', import.meta.url));

const named = (variable: string, command: string): string | undefined => process.env[variable] ?? findCommand(command);

/** WebKitGTK keeps its small browser beside its processes, below the system's folder of libraries. */
function findMiniBrowser(): string | undefined {
  const homes = ['/usr/lib', '/usr/libexec'].filter(existsSync);
  const folders = homes.flatMap((home) => [home, ...readdirSync(home).map((name) => join(home, name))]);
  return folders
    .flatMap((folder) => ['4.1', '6.0', '4.0'].map((api) => join(folder, `webkit2gtk-${api}`, 'MiniBrowser')))
    .find(existsSync);
}

export async function startEngine(name: EngineName, scheme: Scheme): Promise<Engine> {
  const found = findEngine(name);
  if (typeof found === 'string') throw new Error(found);
  const problems: string[] = [];
  const display = name === 'webkit' ? await startDisplay() : undefined;
  const port = await freePort();
  const environment = display === undefined ? {} : { DISPLAY: display.name, GDK_BACKEND: 'x11' };
  const own = name === 'firefox' ? [`--websocket-port=${await freePort()}`] : []; // else all of them take 9222
  const service = spawn(found.driver, [`--port=${port}`, ...own], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  await answering(port);
  const driver = await new Builder()
    .disableEnvironmentOverrides()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(new Capabilities(capabilitiesOf(name, found.browser, scheme)))
    .build();
  const version = (await driver.getCapabilities()).getBrowserVersion() ?? '';
  if (name !== 'webkit') await listen(driver, problems);
  return {
    name,
    driver,
    version,
    async problems() {
      if (name === 'webkit') return await driver.executeScript('return (globalThis.kept ?? []).splice(0)');
      return problems.splice(0);
    },
    async close() {
      await driver.quit();
      await ended(service);
      if (display !== undefined) await ended(display.process);
    },
  };
}

/** EN3: the first script of every page. */
export const kListener = `<script>
  globalThis.kept = [];
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...said) => { kept.push(said.join(' ')); write.apply(console, said); };
  }
  addEventListener('error', ({ message, target }) => kept.push(message ?? 'not loaded: ' + (target.src ?? target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => kept.push(String(reason)));
</script>`;

const isRoot = process.getuid?.() === 0;

function capabilitiesOf(name: EngineName, binary: string, scheme: Scheme): Record<string, unknown> {
  const isDark = scheme === 'dark';
  switch (name) {
    case 'chromium': {
      const args = ['--headless=new', '--hide-scrollbars', `--blink-settings=preferredColorScheme=${isDark ? 0 : 1}`];
      const options = { binary, args: isRoot ? [...args, '--no-sandbox'] : args };
      return { browserName: 'chrome', webSocketUrl: true, 'goog:chromeOptions': options };
    }
    case 'firefox': {
      const prefs = { 'ui.systemUsesDarkTheme': isDark ? 1 : 0 };
      const options = { binary, args: ['-headless'], prefs };
      return { browserName: 'firefox', webSocketUrl: true, 'moz:firefoxOptions': options };
    }
    case 'webkit': {
      const args = ['--automation', ...(isDark ? ['--dark-mode'] : [])];
      return { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args } };
    }
  }
}

/** What pages write to the console, by WebDriver BiDi, which WebKitGTK 2.50 does not have (EN3). */
async function listen(driver: WebDriver, problems: string[]): Promise<void> {
  const bidi = await driver.getBidi();
  await bidi.subscribe('log.entryAdded');
  // A WebSocket of the package ws, which the types take for a browser's.
  (bidi.socket as unknown as EventEmitter).on('message', (data: Buffer) => {
    const { method, params } = JSON.parse(data.toString());
    if (method === 'log.entryAdded' && (params.level === 'error' || params.level === 'warn'))
      problems.push(params.text);
  });
}

async function startDisplay(): Promise<{ readonly name: string; readonly process: ChildProcess }> {
  const screen = ['-screen', '0', '1920x1400x24', '-nolisten', 'tcp', '-displayfd', '3'];
  const process = spawn('Xvfb', screen, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise<string>((resolve, reject) => {
    process.once('exit', () => reject(new Error('Xvfb ended')));
    process.stdio[3]?.once('data', (data: Buffer) => resolve(data.toString().trim()));
  });
  return { name: `:${number}`, process };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Until the driver takes sessions. */
async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 300; ++tries) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no driver answers at port ${port}`);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}
