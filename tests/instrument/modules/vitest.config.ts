// npm run check:modules, check:modules:unseen and check:modules:strangers

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    environment: 'node',
    include: [
      `tests/instrument/modules/${process.env['HG_MODULES'] === 'strangers' ? 'strangers' : 'modules'}_check.ts`,
    ],
  },
});
