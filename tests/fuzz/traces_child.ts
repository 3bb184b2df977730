// The process in which traces.mjs runs its cases: it says before each which one, and after each what it took.

import { readFileSync } from 'node:fs';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { contradictoryStream } from './contradictory_stream.ts';
import { importCase, importSeeds, openImport } from './import_cases.ts';
import { openCase } from './open_case.ts';
import { fileCase, recordsOf, streamCase } from './trace_cases.ts';

const [kind = 'files', first = '0', count = '0', fixtures = '', wasmPath = '', ...paths] = process.argv.slice(2);
const seeds = paths.map((path) => new Uint8Array(readFileSync(path)));
const streams = seeds.map(recordsOf);
const imports = importSeeds(fixtures);
const wasm = Uint8Array.from(readFileSync(wasmPath));

/** The bytes of a case, and what opens them. */
function made(seed: number): readonly [Uint8Array, () => Promise<string | undefined>] {
  if (kind === 'imports') {
    const one = importCase(imports, seed);
    return [one.bytes, () => openImport(one, wasm)];
  }
  if (kind === 'contradictions') {
    const { trace, problem } = contradictoryStream(seed);
    const file = new Uint8Array(encodeTraceFile(trace, 4, {}));
    const open = async () => {
      if (problem !== undefined) throw new Error(problem);
      return await openCase(file);
    };
    return [file, open];
  }
  const file = kind === 'files' ? fileCase(seeds, seed) : streamCase(streams, seed);
  return [file, () => openCase(file)];
}

const tell = (message: object) => process.send?.(message);
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const kQuiet = 24 * 2 ** 20;

collect();
const base = process.memoryUsage().rss;
for (let seed = Number(first); seed < Number(first) + Number(count); ++seed) {
  tell({ seed });
  const [file, open] = made(seed);
  if (process.memoryUsage().rss > base + kQuiet) collect();
  const before = process.memoryUsage().rss;
  tell({ seed, bytes: file.length });
  const begin = process.cpuUsage(); // the limit is of the case, not of a busy machine
  let said: string | undefined;
  let wrong: string | undefined;
  try {
    said = await open();
  } catch (error) {
    wrong =
      error instanceof Error ? `${error.message}\n${error.stack?.split('\n').slice(1, 5).join('\n')}` : `${error}`;
  }
  const grown = process.memoryUsage().rss - before;
  const { user, system } = process.cpuUsage(begin);
  tell({ seed, bytes: file.length, ms: (user + system) / 1000, grown, said: said !== undefined, wrong });
}
process.disconnect?.();
