// npm run check:engines: the page, <hg-glass>, a report and the site in Chromium, Firefox and WebKitGTK, whichever are installed.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { leaveOutPackageTools } from '../../tools/package_tools.mjs';

leaveOutPackageTools();

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['tests/engines/*.engines.ts'],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    fileParallelism: false, // a browser each, and two cores
  },
});
