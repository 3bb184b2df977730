// The process in which verdicts.mjs runs its cases: damaged files, mutated and contradictory streams, and streams with hostile names.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { namedTrace } from '../cli/named_trace.ts';
import { commandsOn, difference, obeyed, pageSays, runCommand, writeCase } from './commands_on_trace.ts';
import { contradictoryStream } from './contradictory_stream.ts';
import { fileCase, recordsOf, streamCase } from './trace_cases.ts';

const [first = '0', count = '0', ...paths] = process.argv.slice(2);

const kNames = [
  '\x1b[2J\x1b]0;owned\x07<img src=x onerror=alert(1)>\u202etxt.exe',
  '=HYPERLINK("https://attacker.example","x")\r\nheapglass: in: verified OK',
  '"><svg/onload=alert(1)></script><script>alert(1)</script>',
  '`$(touch owned)` | [x](javascript:alert(1)) \u2028\u2029\ud800\u0000',
];
const files = paths.map((path) => new Uint8Array(readFileSync(path)));
const named = kNames.map((name, nth) => namedTrace(name, [100, 300, 70_000], nth % 2 === 0));
const seeds = [...files, ...named];
const streams = seeds.map(recordsOf);
// Of every four: two streams around which the file is right, a damaged file, and a stream that contradicts itself.
function made(seed: number): Uint8Array {
  const kind = seed % 4;
  if (kind === 0) return fileCase(seeds, seed);
  if (kind === 1)
    return new Uint8Array(encodeTraceFile(contradictoryStream(seed).trace, 4, { title: kNames[seed % 3] ?? '' }));
  return streamCase(streams, seed);
}

const folder = mkdtempSync(join(tmpdir(), 'heapglass-verdicts-'));
const trace = join(folder, 'in.hgtrace');
const module = join(folder, 'app.wasm');
writeFileSync(module, Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const textOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack ?? error.message}${error.cause === undefined ? '' : `\n${textOf(error.cause)}`}`
    : String(error);

for (let seed = Number(first); seed < Number(first) + Number(count); ++seed) {
  process.send?.({ seed });
  const bytes = made(seed);
  const result = { answers: 0, whole: 0, unreadable: 0, runs: 0 };
  let wrong: string | undefined;
  try {
    writeCase(trace, bytes, folder);
    const said = [];
    for (const command of commandsOn(folder, trace, module, seed)) said.push(await runCommand(command, trace));
    wrong = difference(said, await pageSays(bytes)) ?? obeyed(folder, said);
    result.runs = said.length + 1;
    result.answers = said.filter(({ problem }) => problem === undefined).length;
    result.whole = said[0]?.code === 0 ? 1 : 0;
    result.unreadable = said[0]?.problem === undefined ? 0 : 1;
  } catch (error) {
    wrong = textOf(error);
  }
  process.send?.({ seed, bytes: bytes.length, ...result, wrong });
}
process.exit(0);
