// The command heapglass alone (tools/built.mjs): without the package around it, the page, and programs.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtCommand } from '../../tools/built.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface BareCommand {
  /** Where the commands run. */
  readonly folder: string;
  readonly command: string;
  run(...args: readonly string[]): SpawnSyncReturns<string>;
  /** A line of a shell, in which `heapglass` is the command. */
  shell(line: string): SpawnSyncReturns<string>;
  write(name: string, content: string | Uint8Array): void;
  dispose(): void;
}

export async function buildBareCommand(): Promise<BareCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-bare-'));
  const dist = join(folder, '.dist'); // the test's own: view serves what it finds beside the command
  cpSync(builtCommand(), dist, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules')); // binaryen
  const command = join(dist, 'bin/heapglass.mjs');
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 27 } as const;
  return {
    folder,
    command,
    run: (...args) => spawnSync(process.execPath, [command, ...args], options),
    shell: (line) =>
      spawnSync('bash', ['-c', `heapglass() { "${process.execPath}" "${command}" "$@"; }\n${line}`], options),
    write: (name, content) => writeFileSync(join(folder, name), content),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
