// npm run bench:snapshots - programs with data as bytes: SQLite with 100 MB of rows, and Lua with a table of 200,000 records, linked with
// `--standalone --shrink`. The size of a snapshot beside what lives; milliseconds to start and load, to start and restore, to keep a
// checkpoint and to go back after 0, 1, 100 and 10,000 touched pages. Medians of 5.
//
//   --json file

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { fetchCrate } from '../../../tools/fetch/crates.mjs';
import { kLua, kSqlite } from '../../../tools/fetch/program_sources.mjs';
import { archive, callEmcc, root } from '../harness/compile.mjs';
import { fixed, printTable, writeJson } from '../harness/report.mjs';
import { compileObject } from '../malloc/objects.mjs';

const kGoal = 1.02;
const kExported = [
  ...['hg_malloc_trim', 'hg_heap_returnable', 'hg_heap_free_pages', 'hg_memory_free_pages'],
  'hg_malloc_cached_pages',
  ...['hg_memory_end', 'hg_memory_moved', 'hg_memory_scratch', 'hg_malloc_get_stats'],
  ...['program_begin', 'program_text', 'program_run'],
];
const folder = join(root, 'build/bench/shrink');
const watched = (path) => join(root, 'programs/watched', path);
mkdirSync(folder, { recursive: true });

const kRowsAtOnce = 10_000;
const kBatches = 48; // of 2 MB
const insert = `insert into t(text) with recursive c(n) as (select 1 union all select n + 1 from c where n < ${kRowsAtOnce}) select printf('%0200d', n * 7919 % 1000003) from c;`;
const kPrograms = [
  {
    name: 'SQLite',
    source: kSqlite,
    own: ['sqlite/sqlite_shell.c', 'sqlite/no_files.c'],
    flags: [...kSqlite.flags, '-DSQLITE_MAX_MMAP_SIZE=0'],
    load: ['create table t(id integer primary key, text);', ...Array(kBatches).fill(insert)],
    answer: 'select count(*), sum(length(text)), sum(id * 31 % 97) from t;',
  },
  {
    name: 'Lua',
    source: kLua,
    own: ['lua/lua_shell.c'],
    flags: ['-sSUPPORT_LONGJMP=wasm', '-Dluai_makeseed(L)=20261u'],
    load: [
      'records = {}',
      ...Array(10).fill(
        "for i = 1, 20000 do local n = #records + 1; records[n] = { id = n, name = 'record ' .. n, tags = { 'a' .. n % 7, n * 0.5 } } end",
      ),
      'collectgarbage()',
    ],
    answer: 'local n = 0 for i, r in ipairs(records) do n = n + #r.name * (r.id % 7) + #r.tags end print(n, #records)',
  },
];

async function link({ name, source, own, flags }) {
  const from = fetchCrate(source.crate, (why) => console.log(`${name}: ${why}`));
  if (from === undefined) return undefined;
  const words = ['-O2', `-I${source.include(from)}`, ...flags, '-w'];
  const objects = [];
  for (const file of [...own.map(watched), ...source.files(from)]) objects.push(await compileObject(file, words));
  const out = join(folder, `loaded_${name.toLowerCase()}.wasm`);
  const given = [
    ...['-O2', ...objects, archive('malloc-fast'), `-Wl,${kExported.map((each) => `--export=${each}`).join(',')}`],
    ...['-sSTANDALONE_WASM', '--no-entry', '-sALLOW_MEMORY_GROWTH', '-sMAXIMUM_MEMORY=2GB', '-sTOTAL_STACK=1MB'],
    ...['-sERROR_ON_UNDEFINED_SYMBOLS=0', '-sWARN_ON_UNDEFINED_SYMBOLS=0'],
    ...flags.filter((flag) => flag.startsWith('-s')),
  ];
  await callEmcc([...given, '-o', out], name);
  return out;
}

const script = join(folder, 'loaded_programs.mjs');
buildSync({
  entryPoints: [join(root, 'tests/bench/shrink/loaded_programs.ts')],
  outfile: script,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
});
const { measure } = await import(pathToFileURL(script).href);
const found = [];
for (const program of kPrograms) {
  const wasm = await link(program);
  if (wasm === undefined) continue;
  found.push({ name: program.name, ...(await measure(readFileSync(wasm), program.load, program.answer)) });
}
for (const { name, live, snapshotBytes, times } of found) {
  const ratio = snapshotBytes / live;
  printTable(
    `${name}, ${fixed(live / 1e6, 1)} MB live; its snapshot has ${fixed(ratio, 4)} of that (goal: ${kGoal}, ${ratio <= kGoal ? 'met' : 'NOT met'})`,
    ['', 'ms'],
    Object.entries(times).map(([what, ms]) => [what, fixed(ms, 1)]),
  );
}
writeJson({ bench: 'snapshots', found });
