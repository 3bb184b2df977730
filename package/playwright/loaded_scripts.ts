// The scripts that a page has loaded: where a module's own names were shortened, they say which functions are the allocator.
//
//   loaded.1  They are read when a module needs them, as the browser has them: nothing is fetched again.
//   loaded.2  One that has not arrived by then is waited for, because the text of an answer ends later than the script that it holds
//             begins; not for ever, because an answer may have no end. That of a script which compiles the module has one, but the browser does
//             not always give it while the page stands still for an answer of ours.

import type { Page, Response } from '@playwright/test';
import type { Script } from '../recorded/said_names.ts';

const kPatience = 2000; // milliseconds
const kPatienceForRunning = 10_000; // likewise

export class LoadedScripts {
  #responses: Response[] = [];

  constructor(page: Page) {
    page.on('response', (response) => {
      const request = response.request();
      const type = request.resourceType();
      if (type === 'document' && request.frame() === page.mainFrame()) this.#responses = [];
      if (type === 'script' || type === 'document') this.#responses.push(response);
    });
  }

  /** `running`: addresses of those that compile the module. */
  async read(running: readonly string[]): Promise<readonly Script[]> {
    return Promise.all(
      this.#responses.map(async (response) => {
        const isRunning = running.includes(response.url().replace(/[?#].*$/, ''));
        return [response.url(), await textOf(response, isRunning)] as const;
      }),
    );
  }
}

function textOf(response: Response, isRunning: boolean): Promise<string> {
  const text = response.text().catch(() => ''); // of a page that is gone there is none
  const patience = isRunning ? kPatienceForRunning : kPatience;
  return Promise.race([text, new Promise<string>((resolve) => setTimeout(resolve, patience, ''))]);
}
