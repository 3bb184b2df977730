// One command on traces of strangers: it must answer or refuse in words, say what the page says, and write nothing that is obeyed.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOn, difference, obeyed, pageSays, runCommand, writeCase } from '../commands_on_trace.ts';
import { verdictCases } from '../verdict_cases.ts';
import { kindOf, type Target } from './target.ts';

const kEmptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** golden: a folder with traces to damage. */
export function commandTarget(name: string, golden: string): Target {
  const made = verdictCases(readdirSync(golden).map((file) => new Uint8Array(readFileSync(join(golden, file)))));
  const folder = mkdtempSync(join(tmpdir(), `heapglass-fuzz-${name}-`));
  const trace = join(folder, 'in.hgtrace');
  const module = join(folder, 'app.wasm');
  writeFileSync(module, kEmptyModule);
  return {
    async run(seed) {
      const bytes = made(seed);
      writeCase(trace, bytes, folder);
      const said = [];
      for (const command of commandsOn(folder, trace, module, seed)) {
        const [word] = command[0].split(' ');
        if (word === 'report' || word === name) said.push(await runCommand(command, trace));
      }
      const wrong = difference(said, await pageSays(bytes)) ?? obeyed(folder, said);
      if (wrong !== undefined) throw new Error(wrong);
      const last = said[said.length - 1];
      return kindOf(`${last?.code} ${(last?.problem ?? last?.verdict.join(' ') ?? '').replace(folder, '')}`);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
