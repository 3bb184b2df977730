// axe on a page. Its script is put into a document once, and told to name only what is wrong: else it writes a selector for each element
// that passes, and reads the style sheets once more for rules that are off. That takes less than half of the processor time of
// Playwright's builder (@axe-core/playwright).

import type { Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';

const kOptions: RunOptions = { resultTypes: ['violations'], preload: false };

/** CSS selectors. */
interface Part {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface Analysis {
  /** Without it all of the page. */
  include(selector: string): Analysis;
  exclude(selector: string): Analysis;
  options(options: RunOptions): Analysis;
  analyze(): Promise<AxeResults>;
}

export function axeOn(page: Page, part: Part = {}, options = kOptions): Analysis {
  return {
    include: (selector) => axeOn(page, { ...part, include: [...(part.include ?? []), selector] }, options),
    exclude: (selector) => axeOn(page, { ...part, exclude: [...(part.exclude ?? []), selector] }, options),
    options: (more) => axeOn(page, part, { ...options, ...more }),
    async analyze() {
      for (const frame of page.frames()) if (!(await frame.evaluate(isThere))) await frame.evaluate(axe.source);
      return page.evaluate(run, { part, options });
    },
  };
}

const isThere = (): boolean => 'axe' in globalThis;

function run({ part, options }: { readonly part: Part; readonly options: RunOptions }): Promise<AxeResults> {
  const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
  return inPage.run({ include: [...(part.include ?? ['html'])], exclude: [...(part.exclude ?? [])] }, options);
}
