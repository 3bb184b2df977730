// The scripts of the page, as DevTools have them: nothing is fetched again, and no policy forbids it.

import type { Scripts } from './instrumenter.ts';

export const pageScripts: Scripts = async () => {
  const { inspectedWindow } = chrome.devtools;
  const resources = await new Promise<chrome.devtools.inspectedWindow.Resource[]>((got) =>
    inspectedWindow.getResources(got),
  );
  const scripts = resources.filter(({ type }) => type === 'script' || type === 'document');
  return Promise.all(
    scripts.map(
      (script) =>
        new Promise<readonly [string, string]>((got) => script.getContent((text) => got([script.url, text ?? '']))),
    ),
  );
};
