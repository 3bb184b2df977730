// The scripts that a page has loaded: where a module's own names were shortened, they say which functions are the allocator.
//
//   loaded.1  Their texts are asked for as the answers come, because a page that stands still (a module compiled without waiting) does not
//             give them. That of the script which compiles may then still be on its way: only it is fetched once more.
//   loaded.2  One that has not arrived is waited for, because the text of an answer ends later than the script that it holds begins;
//             not for ever, because an answer may have no end.

import type { Page, Response } from '@playwright/test';
import type { Script } from '../recorded/said_names.ts';

const kPatience = 2000; // milliseconds
const kPatienceForRunning = 10_000; // likewise: a script may hold the module
const kFetchedAfter = 500; // likewise

interface Loaded {
  readonly address: string;
  readonly text: Promise<string>;
}

export class LoadedScripts {
  readonly #page: Page;
  #loaded: Loaded[] = [];

  constructor(page: Page) {
    this.#page = page;
    page.on('response', (response) => {
      const request = response.request();
      const type = request.resourceType();
      if (type === 'document' && request.frame() === page.mainFrame()) this.#loaded = [];
      if (type === 'script' || type === 'document')
        this.#loaded.push({ address: response.url(), text: textOf(response) });
    });
  }

  /** `running`: addresses of those that compile the module. */
  async read(running: readonly string[]): Promise<readonly Script[]> {
    return Promise.all(
      this.#loaded.map(async ({ address, text }) => {
        const isRunning = running.includes(address.replace(/[?#].*$/, ''));
        return [address, await (isRunning ? this.#running(address, text) : within(kPatience, text))] as const;
      }),
    );
  }

  /** loaded.1 */
  async #running(address: string, text: Promise<string>): Promise<string> {
    const arrived = await within(kFetchedAfter, text);
    if (arrived !== '') return arrived;
    const either = Promise.any([text, this.#fetched(address)].map(orNone)).catch(() => '');
    return within(kPatienceForRunning, either);
  }

  async #fetched(address: string): Promise<string> {
    try {
      const response = await this.#page.context().request.get(address, { timeout: kPatienceForRunning });
      return response.ok() ? await response.text() : '';
    } catch {
      return ''; // it has no end, or is a document of the page's own making
    }
  }
}

/** Of a page that is gone, and of a redirection, there is none. */
const textOf = (response: Response): Promise<string> => response.text().catch(() => '');

async function orNone(text: Promise<string>): Promise<string> {
  if ((await text) === '') throw new Error('there is no text');
  return text;
}

const within = (patience: number, text: Promise<string>): Promise<string> =>
  Promise.race([text, new Promise<string>((resolve) => setTimeout(resolve, patience, ''))]);
