// The heaps of a page in a test: its modules are instrumented before they are compiled, and their traces come back as files.
//
//   page, which has in_page.ts before its scripts ── a module that it compiles ──▶ recorded_wasm.ts ──▶ page
//
//   heap.1  The page and its server are not changed, and how the module reaches the page does not matter.
//   heap.2  Its workers have in_worker.ts before their own scripts, and send by way of the page. A worker that a policy or another server keeps
//           from that runs as it is, and so does a shared one; problems() says so.
//   heap.3  What a page recorded ends with its document: a test that goes to another page asks before.
//   heap.4  Events leave the page as they come (in_page.ts). So a page that closes itself or crashes has taken along those of its last
//           50 ms at most; one that hangs then, its last batch (batches.ts); one that the test closes, none.
//   heap.5  A page that hangs when the test closes it gives nothing by itself, so its scripts are ended first. Only Chromium does that.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { kEventWords } from '../../web/src/trace/trace.ts';
import { packRecords } from '../../web/src/trace/trace_file.ts';
import { joined, TraceFileWriter } from '../../web/src/trace/trace_writer.ts';
import { packaged } from '../recorded/page_scripts.ts';
import { checkOptions, kRecordTypes, type RecordOptions } from '../recorded/record_options.ts';
import { hasMemory, makeRecorded } from '../recorded/recorded_wasm.ts';
import { LoadedScripts } from './loaded_scripts.ts';
import {
  type Compiled,
  kEmptyPath,
  kRecordedPage,
  kRecordModule,
  kRecordPath,
  kTakeEvents,
  type Recording,
  type Sent,
  type SentEvents,
} from './page_names.ts';

/** The trace of one module. */
export interface TraceOfPage {
  /** The file's path. */
  readonly path: string;
  readonly events: number;
}

/** What a document has sent, by the number of its module. */
interface Received {
  readonly document: number;
  readonly modules: Uint32Array[][];
}

const kLastWords = 1000; // milliseconds that a page has to send the rest before it is closed
const kPollMs = 5;

/** The heaps of a page's modules, for the matchers of `expect`. */
export class RecordedHeap {
  readonly #page: Page;
  readonly #pathOf: (name: string) => string;
  readonly #problems: string[] = [];
  #written = 0;
  #hasCrashed = false;
  #received: Received = { document: 0, modules: [] };

  /** `pathOf`: where a file of this name is put. */
  constructor(page: Page, pathOf: (name: string) => string) {
    this.#page = page;
    this.#pathOf = pathOf;
    page.on('crash', () => {
      this.#hasCrashed = true;
    });
  }

  /** Before the page is opened. Throws a TypeError when an option is none, or has a value that it cannot have. */
  async record(context: BrowserContext, options: RecordOptions = {}): Promise<void> {
    checkOptions('heapglass', options, kRecordTypes);
    const recorded = makeRecorded(options, join(process.cwd(), 'node_modules/.cache/heapglass'), {
      note: () => {},
      warn: (text) => this.#problems.push(text),
    });
    const loaded = new LoadedScripts(this.#page);
    await context.exposeBinding(kTakeEvents, ({ page, frame }, events: SentEvents) => {
      if (page === this.#page && frame === page.mainFrame()) this.#take(events);
    });
    const close = this.#page.close.bind(this.#page);
    const endScripts = await scriptsOf(context, this.#page);
    this.#page.close = async (given) => {
      const arrived = this.#arrived().catch(() => {});
      if (!(await isWithin(arrived, kLastWords))) {
        await isWithin(endScripts(), kLastWords); // heap.5
        await isWithin(arrived, kLastWords);
      }
      await close(given);
    };
    const recordedForm = async ({ bytes, address, scripts }: Compiled): Promise<string | undefined> => {
      const before = Buffer.from(bytes, 'base64');
      if (address === undefined && !hasMemory(before)) return undefined; // it tries what the engine can do
      const name = address === undefined ? 'a module of the page' : new URL(address).pathname;
      const after = await recorded(before, name, () => loaded.read(scripts));
      return after === before ? undefined : Buffer.from(after).toString('base64');
    };
    await context.exposeBinding(kRecordModule, (_, module: Compiled) => recordedForm(module));
    await context.route(
      ({ pathname }) => pathname === kRecordPath,
      async (route) => {
        const made = await recordedForm(JSON.parse(route.request().postData() ?? '') as Compiled);
        const headers = { 'access-control-allow-origin': '*' };
        return route.fulfill(made === undefined ? { status: 204, headers } : { status: 200, headers, body: made });
      },
    );
    await context.route(
      ({ pathname }) => pathname === kEmptyPath,
      (route) => route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    const [inPage, inWorker] = ['in_page', 'in_worker'].map((name) =>
      readFileSync(packaged(`package/playwright/${name}.js`), 'utf8'),
    );
    await context.addInitScript({ content: `{ const kHeapglassWorker = ${JSON.stringify(inWorker)};\n${inPage}\n}` });
  }

  /** Why a module records nothing, a sentence each. */
  problems(): readonly string[] {
    return this.#problems;
  }

  /** Puts a name onto the time line of every module, for `between`. Throws when nothing is recorded yet. */
  async mark(text: string): Promise<void> {
    await this.#arrived();
    await this.#page.evaluate(([key, name]) => (globalThis as unknown as Recording)[key].mark(name), [
      kRecordedPage,
      text,
    ] as const);
  }

  /** The trace of each module that has called its allocator. Throws an Error that says why when there is none. */
  async traces(): Promise<readonly TraceOfPage[]> {
    const modules = await this.#arrived();
    return modules
      .filter((parts) => parts.length > 0)
      .map((parts) => {
        const path = this.#pathOf(`heap-${++this.#written}.hgtrace`);
        const writer = new TraceFileWriter({ pack: packRecords });
        writeFileSync(path, joined([...parts.flatMap((records) => writer.append(records)), ...writer.end()]));
        return { path, events: eventsOf(parts) };
      });
  }

  #take({ document, module, records }: SentEvents): void {
    if (document > this.#received.document) this.#received = { document, modules: [] }; // heap.3
    if (document < this.#received.document) return;
    const { modules } = this.#received;
    while (modules.length <= module) modules.push([]);
    const bytes = Uint8Array.from(Buffer.from(records, 'base64'));
    modules[module]?.push(new Uint32Array(bytes.buffer));
  }

  /** What the page has recorded up to now, or before it ended: heap.4. */
  async #arrived(): Promise<readonly (readonly Uint32Array[])[]> {
    const sent = await this.#sent();
    for (const problem of sent?.problems ?? []) if (!this.#problems.includes(problem)) this.#problems.push(problem);
    const isHere = () =>
      sent === undefined || sent.counts.every((count, module) => this.#eventsOf(sent, module) >= count);
    while (!isHere() && !this.#hasEnded) await pause(kPollMs); // messages come in order, but not at once
    const { document, modules } = this.#received;
    if (modules.length > 0 && (sent === undefined || sent.document === document)) return modules;
    if (sent === undefined) throw new Error('heapglass: nothing was recorded before the page was closed');
    const why =
      this.#problems.length === 0 ? 'it has called no allocator of a module so far' : this.#problems.join('; ');
    throw new Error(`heapglass: nothing of ${this.#page.url()} is recorded: ${why}`);
  }

  /** Undefined: the page has ended. */
  async #sent(): Promise<Sent | undefined> {
    if (this.#hasEnded) return undefined;
    try {
      return await this.#page.evaluate(
        ([key]) =>
          (globalThis as unknown as Partial<Recording>)[key]?.sent() ?? { document: -1, counts: [], problems: [] },
        [kRecordedPage] as const,
      );
    } catch (error) {
      if (this.#hasEnded) return undefined; // while it was asked
      throw error;
    }
  }

  #eventsOf({ document }: Sent, module: number): number {
    return document === this.#received.document ? eventsOf(this.#received.modules[module] ?? []) : 0;
  }

  get #hasEnded(): boolean {
    return this.#hasCrashed || this.#page.isClosed();
  }
}

const eventsOf = (parts: readonly Uint32Array[]): number =>
  parts.reduce((sum, { length }) => sum + length / kEventWords, 0);

/** To be asked before the page hangs: what ends the scripts that run in it, and does nothing in other browsers than Chromium. */
async function scriptsOf(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  try {
    const session = await context.newCDPSession(page);
    return async () => void (await session.send('Runtime.terminateExecution').catch(() => {})); // it may have ended
  } catch {
    return async () => {};
  }
}

const isWithin = (what: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([what.then(() => true), pause(ms).then(() => false)]);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
