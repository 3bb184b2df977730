// The heaps of a page in a test: its modules are instrumented on their way, and their traces come back as files.
//
//   page ── GET app.wasm ──▶ route ──▶ the server's bytes ──▶ recorded_wasm.ts ──▶ page, which has in_page.ts before its scripts
//
//   heap.1  The page and its server are not changed.
//   heap.2  A worker has no recorder, so its module is left as it is; problems() says so.
//   heap.3  What a page recorded ends with its document: a test that goes to another page asks before. Where a test closes the page, what
//           it recorded is read before; a page that closes itself takes it along.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page, Route } from '@playwright/test';
import { packaged } from '../recorded/page_scripts.ts';
import { checkOptions, kRecordTypes, type RecordOptions } from '../recorded/record_options.ts';
import { makeRecorded } from '../recorded/recorded_wasm.ts';
import { kRecordedPage, type Recording } from './page_names.ts';

/** The trace of one module. */
export interface TraceOfPage {
  /** The file's path. */
  readonly path: string;
  readonly events: number;
}

interface Read {
  readonly bytes: Uint8Array;
  readonly events: number;
}

const kWasm = /\.wasm(?:[?#]|$)/;

/** The heaps of a page's modules, for the matchers of `expect`. */
export class RecordedHeap {
  readonly #page: Page;
  readonly #pathOf: (name: string) => string;
  readonly #problems: string[] = [];
  readonly #workers = new Set<string>();
  #written = 0;
  #ofClosed: readonly Read[] | undefined; // heap.3

  /** `pathOf`: where a file of this name is put. */
  constructor(page: Page, pathOf: (name: string) => string) {
    this.#page = page;
    this.#pathOf = pathOf;
    page.on('worker', (worker) => this.#workers.add(worker.url()));
  }

  /** Before the page is opened. Throws a TypeError when an option is none, or has a value that it cannot have. */
  async record(context: BrowserContext, options: RecordOptions = {}): Promise<void> {
    checkOptions('heapglass', options, kRecordTypes);
    const recorded = makeRecorded(options, join(process.cwd(), 'node_modules/.cache/heapglass'), {
      note: () => {},
      warn: (text) => this.#problems.push(text),
    });
    const close = this.#page.close.bind(this.#page);
    this.#page.close = async (given) => {
      if (!this.#page.isClosed()) this.#ofClosed = await this.#read().catch(() => []);
      await close(given);
    };
    await context.addInitScript({ path: packaged('package/playwright/in_page.js') });
    await context.route(kWasm, async (route) => {
      const response = await route.fetch();
      const { pathname } = new URL(route.request().url());
      if (!response.ok() || this.#isOfWorker(route)) return route.fulfill({ response });
      const body = await recorded(await response.body(), pathname, undefined);
      return route.fulfill({ response, body: Buffer.from(body) });
    });
  }

  /** Why a module records nothing, a sentence each. */
  problems(): readonly string[] {
    return this.#problems;
  }

  /** Puts a name onto the time line of every module, for `between`. Throws when nothing is recorded yet. */
  async mark(text: string): Promise<void> {
    await this.#events();
    await this.#page.evaluate(([key, name]) => (globalThis as unknown as Recording)[key].mark(name), [
      kRecordedPage,
      text,
    ] as const);
  }

  /** The trace of each module that has called its allocator. Throws an Error that says why when there is none. */
  async traces(): Promise<readonly TraceOfPage[]> {
    const all = this.#page.isClosed() ? this.#beforeItClosed() : await this.#read();
    return all.map(({ bytes, events }) => {
      const path = this.#pathOf(`heap-${++this.#written}.hgtrace`);
      writeFileSync(path, bytes);
      return { path, events };
    });
  }

  #beforeItClosed(): readonly Read[] {
    if (this.#ofClosed !== undefined && this.#ofClosed.length > 0) return this.#ofClosed;
    throw new Error(
      this.#ofClosed === undefined
        ? 'heapglass: the page was closed, by itself or with its context, before its heap was asked for'
        : 'heapglass: nothing was recorded before the page was closed',
    );
  }

  async #read(): Promise<readonly Read[]> {
    const all: Read[] = [];
    for (const [nth, events] of (await this.#events()).entries())
      if (events > 0) all.push({ bytes: await this.#bytes(nth), events });
    return all;
  }

  async #events(): Promise<readonly number[]> {
    const counts = await this.#page.evaluate(
      ([key]) => (globalThis as unknown as Partial<Recording>)[key]?.counts() ?? [],
      [kRecordedPage] as const,
    );
    if (counts.some((count) => count > 0)) return counts;
    const why =
      this.#problems.length === 0 ? 'it has called no allocator of a module so far' : this.#problems.join('; ');
    throw new Error(`heapglass: nothing of ${this.#page.url()} is recorded: ${why}`);
  }

  async #bytes(nth: number): Promise<Uint8Array> {
    const parts: Buffer[] = [];
    for (let from = 0; ; ) {
      const text = await this.#page.evaluate(
        ([key, module, at]) => (globalThis as unknown as Recording)[key].part(module, at),
        [kRecordedPage, nth, from] as const,
      );
      if (text === '') return Buffer.concat(parts);
      const part = Buffer.from(text, 'base64');
      parts.push(part);
      from += part.length;
    }
  }

  /** heap.2 */
  #isOfWorker(route: Route): boolean {
    const request = route.request();
    const referrer = request.headers()['referer'];
    const isOf = referrer === undefined ? this.#workers.size > 0 : this.#workers.has(referrer);
    if (isOf) this.#problems.push(`${request.url()} is loaded by a worker, and modules of workers are not recorded`);
    return isOf;
  }
}
