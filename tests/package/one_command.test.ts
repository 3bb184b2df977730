// From an empty folder and the tarball: a C program is linked, recorded by one command, reported by one, and shown by
// one.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../web/src/report/report_types.ts';
import { headOf, launchBrowser, startView, watchedPage } from '../cli/viewed.ts';
import { someOf } from '../every.ts';
import { type Installed, installPacked, root } from './installed.ts';

const kProgram = `#include <stdio.h>
#include <stdlib.h>
static char *volatile kept[300];
int main(void) {
  for (int i = 0; i < 300; ++i) kept[i] = malloc(100 + i);
  for (int i = 0; i < 290; ++i) free(kept[i]);
  printf("made 300, freed 290\\n");
}
`;

let installed: Installed;
let browser: Browser;
beforeAll(async () => {
  installed = installPacked();
  browser = await launchBrowser();
  // What npm init makes, and what Emscripten's script is: CommonJS.
  mkdirSync(join(installed.folder, 'program'));
  writeFileSync(join(installed.folder, 'program/package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(join(installed.folder, 'program/app.c'), kProgram);
});
afterAll(async () => {
  await browser?.close();
  installed?.dispose();
});

const shell = (line: string) => installed.run('sh', '-c', line);

const kPrograms = [
  ['with one thread', '', ''],
  ['with threads', '-pthread', '--threads'],
] as const;
test.each(someOf(kPrograms))(
  'a program %s is recorded, judged, reported and shown by one command each',
  async (_, compile, flags) => {
    const link = `$(npx heapglass --ldflags --profile trace ${flags})`;
    shell(`cd program && ${join(root, 'wasm-build.sh')} emcc app.c ${compile} ${link} -o app.js`);
    expect(shell('npx heapglass run program/app.js')).toBe('made 300, freed 290\n');

    const held = shell("npx heapglass report heapglass.hgtrace --assert 'lost=0 leaks>=10 peak>=74850B peak<100KiB'");
    expect(held.match(/^held: /gm)).toHaveLength(4);
    const report = JSON.parse(shell('npx heapglass report --json heapglass.hgtrace')) as Report;
    expect(report.notices).toEqual([]);
    expect(report.totals.allocations).toBeGreaterThanOrEqual(300);
    expect(report.trace.proof).toMatchObject({ equal: true });
    shell('npx heapglass report heapglass.hgtrace --html report.html');
    expect(readFileSync(join(installed.folder, 'report.html'), 'utf8')).toContain('What still lives');

    const command = join(installed.folder, 'node_modules/heapglass/dist/bin/heapglass.mjs');
    const { addresses, end } = await startView(command, installed.folder, 'heapglass.hgtrace');
    try {
      const { page, problems } = await watchedPage(browser, 1440, 900);
      await page.goto(`${addresses[0]}&event=${report.trace.events}`);
      await expect.poll(() => headOf(page), { timeout: 20_000 }).toBe(String(report.trace.events));
      await expect
        .poll(() => page.locator('.hg-badge').getAttribute('data-badge'), { timeout: 20_000 })
        .toBe('verified');
      expect(problems).toEqual([]);
      await page.context().close();
    } finally {
      end();
    }
  },
);
