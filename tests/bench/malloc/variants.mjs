// npm run bench:variants - one allocator beside itself, by the clock: linked at other levels, and with memory that grows in other steps.
//
//   --only regex        the bench's own programs of these names (all)
//   --allocators a,b    instead of heapglass; name=file.a is one of your own
//   --links -O0,-O3     levels of the linker; the last is what the others are compared with (-O0,-O1,-O2,-Os,-O3)
//   --growth 0,100      memory grows by what is asked and by so many percent at least; the last as above (0,100)
//   --rounds n          interleaved rounds, of which the median counts (5)
//   --json file         the figures
//
//   V1  Every level runs with every step of growth, so what the two cost together is seen.
//   V2  In round i every variant of every program runs once, in a process of its own; its checksum is the same in all.
//   V3  Memory begins 128 KiB above the heap's base and grows from there: a step of growth that began at 16 MiB would hardly be seen.

import { fileURLToPath } from 'node:url';
import { emccRelease, emccVersion } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';
import { prepareAllocators } from './allocators.mjs';
import { eachAtOnce } from './at_once.mjs';
import { buildModule } from './build.mjs';
import { runInProcess } from './run.mjs';
import { geometricMean } from './table.mjs';
import { ownPrograms } from './workloads.mjs';

const list = (name, otherwise) => option(name, otherwise).split(',');

/** One allocator at one level with one step, and its times by program. */
function variantsOf(allocators, levels, steps) {
  return allocators.flatMap((allocator) =>
    levels.flatMap((level) =>
      steps.map((growth) => ({
        name: `${level} +${growth} %`,
        allocator,
        level,
        growth: Number(growth),
        times: new Map(),
      })),
    ),
  );
}

async function runRounds(programs, variants, wasmOf, rounds) {
  const sums = new Map();
  for (let round = 1; round <= rounds; ++round) {
    process.stderr.write(`round ${round} of ${rounds}\n`);
    for (const { name } of programs)
      for (const variant of variants) {
        const wasm = wasmOf.get(`${name} ${variant.allocator.name} ${variant.level}`);
        const { ms, checksum } = await runInProcess({ wasm, kind: 'program', mode: 'time', growth: variant.growth });
        if ((sums.get(name) ?? checksum) !== checksum) throw new Error(`${name}: checksum ${checksum}`); // V2
        sums.set(name, checksum);
        variant.times.set(name, [...(variant.times.get(name) ?? []), ms]);
      }
  }
}

/** The table of one allocator; resolves to its ratios. */
function printVariants(programs, variants) {
  const reference = variants.at(-1);
  const ratio = (variant, name) => median(variant.times.get(name)) / median(reference.times.get(name));
  const spread = (times) => (Math.max(...times) - Math.min(...times)) / median(times);
  const rows = programs.map(({ name }) => ({ name, ratios: variants.map((variant) => ratio(variant, name)) }));
  const column = (i) => rows.map(({ ratios }) => ratios[i]);
  printTable(
    `${reference.allocator.name}: time beside ${reference.name} (less is better)`,
    ['program', ...variants.map(({ name }) => name), 'ms', 'spread'],
    [
      ...rows.map(({ name, ratios }) => {
        const times = reference.times.get(name);
        return [
          name,
          ...ratios.map((one) => fixed(one)),
          fixed(median(times), 1),
          `${fixed(spread(times) * 100, 0)} %`,
        ];
      }),
      ['geometric mean', ...variants.map((_, i) => fixed(geometricMean(column(i)), 3))],
      ['worst', ...variants.map((_, i) => fixed(Math.max(...column(i)), 3))],
    ],
  );
  return { allocator: reference.allocator.name, reference: reference.name, rows };
}

async function main() {
  const programs = ownPrograms(new RegExp(option('only', '.')));
  if (programs.length === 0) throw new Error(`--only: no program of the bench is called ${option('only', '.')}`);
  const levels = list('links', '-O0,-O1,-O2,-Os,-O3');
  const allocators = await prepareAllocators(list('allocators', 'heapglass'), { release: emccRelease() });
  const wanted = allocators.flatMap((allocator) =>
    levels.flatMap((level) => programs.map(({ module }) => ({ allocator, level, module }))),
  );
  const built = await eachAtOnce(wanted, async ({ allocator, level, module }) => [
    `${module.name} ${allocator.name} ${level}`,
    await buildModule(module, allocator, { level }),
  ]);
  const variants = variantsOf(allocators, levels, list('growth', '0,100'));
  console.log(`${emccVersion()}, Node ${process.version}`);
  await runRounds(programs, variants, new Map(built), Number(option('rounds', 5)));
  const tables = allocators.map((allocator) =>
    printVariants(
      programs,
      variants.filter((variant) => variant.allocator === allocator),
    ),
  );
  writeJson({ bench: 'variants', emcc: emccVersion(), tables });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
