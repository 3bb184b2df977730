// A browser with the extension, without a screen: its DevTools are a page like any other to the protocol that Playwright speaks.
//
//   browser ─ devtools://…, one for each tab ─ views ▶ panel: a frame of the extension, a target of its own
//
//   dt.1  Targets do not say whose they are. A tab is opened behind another one's DevTools and panel, so what is new is its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { findChromium, launchOptions } from '../../tools/find_chromium.mjs';

export interface Target {
  /** The value of an expression, whose promise is waited for. */
  evaluate<T>(expression: string): Promise<T>;
  /** The first value of an expression that is true. */
  until<T>(expression: string): Promise<T>;
  picture(): Promise<Buffer>;
}

export interface Tab {
  readonly page: Page;
  /** The window that DevTools fill, and the panel in it. */
  readonly devtools: Target;
  panel(): Promise<Target>;
}

export interface Inspected extends Tab {
  /** One more tab, with DevTools of its own. pre: the tabs before have shown their panels (dt.1). */
  tab(): Promise<Tab>;
  close(): Promise<void>;
}

/** This machine, under a name that is not secure by http. */
export const kInsecureHost = 'insecure.test';

const kPollMs = 50;
const kPatienceMs = 60_000;

/** `extension`: the folder of the unpacked extension. */
export async function inspect(extension: string): Promise<Inspected> {
  const profile = mkdtempSync(join(tmpdir(), 'heapglass-extension-'));
  const context = await chromium.launchPersistentContext(profile, {
    headless: true,
    viewport: { width: 1440, height: 900 },
    ...launchOptions(
      [
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
        '--auto-open-devtools-for-tabs',
        `--host-resolver-rules=MAP ${kInsecureHost} 127.0.0.1`,
      ],
      findChromium,
    ),
  });
  const [page] = context.pages();
  const browser = await context.browser()?.newBrowserCDPSession();
  if (page === undefined || browser === undefined) throw new Error('the browser has no tab');
  const taken = new Set<string>();
  return {
    ...(await tabOf(page, browser, taken)),
    tab: async () => tabOf(await context.newPage(), browser, taken),
    close: () => closed(context, profile),
  };
}

/** `taken`: the targets of other tabs (dt.1). */
async function tabOf(page: Page, browser: CDPSession, taken: Set<string>): Promise<Tab> {
  const own = new Set<string>();
  const find = async (begin: string, end: string): Promise<Target> => {
    const targetId = await targetAt(browser, (id) => own.has(id) || !taken.has(id), begin, end);
    taken.add(targetId);
    own.add(targetId);
    return attached(browser, targetId);
  };
  const devtools = await find('devtools://', '');
  return {
    page,
    devtools,
    async panel() {
      await devtools.evaluate(kShowPanel);
      const panel = await find('chrome-extension://', '/panel.html');
      await panel.until(`document.getElementById('status')?.textContent`); // its script has run
      return panel;
    },
  };
}

/** They come in pieces: a test waits for as many as it wants. */
export const kEvents = `Number(/event\\s([\\d,]+)\\s\\//.exec(document.querySelector('hg-glass')?.shadowRoot?.textContent ?? '')?.[1].replaceAll(',', '') ?? 0)`;

const kLooks = 20;

/** The number of events, when so many looks have seen the same. */
export async function settled(panel: Target): Promise<number> {
  let events = 0;
  for (let same = 0; same < kLooks; ++same) {
    const now = await panel.until<number>(kEvents);
    if (now !== events) same = 0;
    events = now;
    await new Promise((resolve) => setTimeout(resolve, kPollMs));
  }
  return events;
}

/**
 * An expression: the answer of the panel's glass to one of its questions, as soon as it has these words. Every second the glass goes
 * to the newest event or is asked, in turn: an answer is about the events that had come by then.
 */
export const asked = (question: string, words: string): string => `(() => {
  const glass = document.querySelector('hg-glass')?.shadowRoot;
  const answer = glass?.querySelector('.hg-answer__sentence')?.textContent ?? '';
  if (answer.includes('${words}')) return answer;
  if (performance.now() - (globalThis.askedAt ?? 0) < 1000) return false;
  globalThis.askedAt = performance.now();
  const buttons = [...(glass?.querySelectorAll('button') ?? [])];
  globalThis.goesOn = !globalThis.goesOn; // who asks stands at the moment that is shown
  if (globalThis.goesOn) buttons.find((each) => each.ariaLabel?.startsWith('Newest event'))?.click();
  else buttons.find((each) => each.textContent.startsWith('${question}'))?.click();
  return false;
})()`;

/** As a press on its tab does. */
const kShowPanel = `(async () => {
  while (document.querySelector('.root-view') === null) await new Promise((resolve) => setTimeout(resolve, ${kPollMs}));
  const { ViewManager } = await import('./ui/legacy/legacy.js');
  const views = ViewManager.ViewManager.instance();
  for (;;) {
    const id = [...views.views.keys()].find((key) => /^chrome-extension:.*Heap$/.test(key));
    if (id !== undefined) return void views.showView(id);
    await new Promise((resolve) => setTimeout(resolve, ${kPollMs}));
  }
})()`;

async function closed(context: BrowserContext, profile: string): Promise<void> {
  await context.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

async function targetAt(
  browser: CDPSession,
  isMeant: (targetId: string) => boolean,
  begin: string,
  end: string,
): Promise<string> {
  for (;;) {
    const { targetInfos } = await browser.send('Target.getTargets', { filter: [{ type: 'tab', exclude: true }, {}] });
    const found = targetInfos.find(
      ({ url, targetId }) => url.startsWith(begin) && url.endsWith(end) && isMeant(targetId),
    );
    if (found !== undefined) return found.targetId;
    await new Promise((resolve) => setTimeout(resolve, kPollMs));
  }
}

interface Answer {
  readonly id: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly data?: string;
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly exception?: { readonly description?: string }; readonly text: string };
  };
}

async function attached(browser: CDPSession, targetId: string): Promise<Target> {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId });
  const waiting = new Map<number, (answer: Answer) => void>();
  let sent = 0;
  browser.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    if (from !== sessionId) return;
    const answer = JSON.parse(message) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  async function send(method: string, params: object): Promise<NonNullable<Answer['result']>> {
    const id = ++sent;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    await browser.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    const { error, result } = await answered;
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  }
  async function evaluate<T>(expression: string): Promise<T> {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', options);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result?.value as T;
  }
  return {
    evaluate,
    async until<T>(expression: string): Promise<T> {
      const end = performance.now() + kPatienceMs;
      for (;;) {
        const value = await evaluate<T>(expression);
        if (value) return value;
        if (performance.now() > end) throw new Error(`${expression} is still ${JSON.stringify(value)}`);
        await new Promise((resolve) => setTimeout(resolve, kPollMs));
      }
    },
    async picture() {
      const { data = '' } = await send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data, 'base64');
    },
  };
}
