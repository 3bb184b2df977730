// npm run check:modules, check:modules:unseen, check:modules:strangers and check:modules:twenty

import { defineConfig } from 'vitest/config';

const areStrangers = ['strangers', 'twenty'].includes(process.env['HG_MODULES'] ?? '');

export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    environment: 'node',
    include: [`tests/instrument/modules/${areStrangers ? 'strangers' : 'modules'}_check.ts`],
  },
});
