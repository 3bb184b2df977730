// npm run check:hosts: the package in Bun and in Deno, its plugins in versions of Vite and in webpack, and modules from npm
// in the dev server of Vite (some 300 MB from npm).

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['tests/package/hosts/*.hosts.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
