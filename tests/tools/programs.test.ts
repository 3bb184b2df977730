// One of the malloc bench's real programs, compiled, run and its output compared. Nothing is downloaded here: without the
// sources (any run of the bench fetches them) the test is skipped and says so.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crateFolder } from '../../tools/fetch/crates.mjs';
import { buildModule } from '../bench/malloc/build.mjs';
import { execute } from '../bench/malloc/execute.mjs';
import lua from '../bench/malloc/programs/lua/program.mjs';

const missing = lua.crates.filter((crate) => !existsSync(crateFolder(crate)));
for (const { name, version } of missing)
  console.log(`programs: skipped, the sources of ${name} ${version} are not fetched`);

test.skipIf(missing.length > 0)('Lua with dlmalloc prints what it always prints', async () => {
  const { sources = [], flags = [], expected } = (await lua.prepare()) ?? {};
  const module = { name: 'lua', kind: 'command' as const, sources, flags };
  const path = await buildModule(module, { name: 'dlmalloc', flags: ['-sMALLOC=dlmalloc'] });
  const { checksum } = await execute(readFileSync(path), { mode: 'footprint', kind: 'command', args: ['lua'] });
  expect(checksum).toBe(expected);
});
