// npm run check:links: every row of the link matrix with every profile, the hostile cases, and recording with SQLite, by the
// compiler at hand and by the newer one that HG_EMCC_NEXT names. The rows marked for daily use are part of npm test.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    environment: 'node',
    include: ['tests/{link,record}/**/*.test.ts'],
    env: { HG_LINKS: 'full' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
