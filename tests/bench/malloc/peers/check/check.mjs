// node tests/bench/malloc/peers/check/check.mjs [name ...] - check.c with each allocator that can be had, by $EMCC or the
// emcc that is found. That no second allocator is in the module is proved by the linker's map (build.mjs).
//
// emmalloc is known to fail at its end (3.1.69 and before): it returns a block for malloc(SIZE_MAX - 100).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emccRelease, emccVersion } from '../../../harness/compile.mjs';
import { prepareAllocators } from '../../allocators.mjs';
import { buildModule } from '../../build.mjs';
import { execute } from '../../execute.mjs';

const check = {
  name: 'check',
  kind: 'command',
  sources: [join(import.meta.dirname, 'check.c')],
  flags: ['-fno-builtin'],
};
const names = process.argv.slice(2);

console.log(emccVersion());
for (const allocator of await prepareAllocators(names.length > 0 ? names : undefined, { release: emccRelease() })) {
  try {
    const bytes = readFileSync(await buildModule(check, allocator));
    await execute(bytes, { mode: 'footprint', kind: 'command', args: ['check'] });
    console.log(`${allocator.name}: all well, ${bytes.length} bytes`);
  } catch (error) {
    console.log(`${allocator.name}: ${error.message} (exit n: what line n of check.c asks does not hold)`);
    process.exitCode = 1;
  }
}
