// npm run check:modules

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    environment: 'node',
    include: ['tests/instrument/modules/modules_check.ts'],
  },
});
