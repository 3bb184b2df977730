// npm run check:diff: twenty builds with a planted regression and twenty equal ones, compared by the command.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    environment: 'node',
    include: ['tests/diff/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
