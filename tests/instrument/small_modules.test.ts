// Two finished modules of two toolchains, call by call; eight of four: npm run check:modules.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkModule } from './modules/module_check.ts';
import { kPrograms } from './modules/programs.mjs';

const packages = fileURLToPath(new URL('../../', import.meta.url));

test.each(kPrograms.filter(({ daily }) => daily === true))(
  '$name is recorded call by call, and gives what it gave',
  async (program) => {
    const { sameResults, recorded, counted, unseen } = await checkModule(program, packages);
    expect(sameResults).toBe(true);
    expect(recorded).toEqual(counted);
    expect(recorded.allocate).toBeGreaterThan(100);
    expect(unseen).toBe(0);
  },
);
