// npm run check:hosts: the package in Bun and in Deno, which it gets from npm (some 200 MB).

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
