// The process in which verdicts.mjs runs its cases (verdict_cases.ts).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOn, difference, obeyed, pageSays, runCommand, writeCase } from './commands_on_trace.ts';
import { verdictCases } from './verdict_cases.ts';

const [first = '0', count = '0', forms = 'one', ...paths] = process.argv.slice(2);

const made = verdictCases(paths.map((path) => new Uint8Array(readFileSync(path))));

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
    for (const command of commandsOn(folder, trace, module, forms === 'all' ? 'all' : seed))
      said.push(await runCommand(command, trace));
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
