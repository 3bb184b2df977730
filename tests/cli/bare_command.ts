// The command heapglass built alone, in a second: without the package around it, the page, and programs.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommandLine } from '../../tools/build_command_line.mjs';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { MarkCode, textRecords } from '../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';

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
  const dist = join(folder, '.dist');
  await buildCommandLine(dist, { page: false });
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

/** A foreign heap with a block of each size, still in use, by a site of this name each; a mark and a title of the name too. */
export function namedTrace(name: string, sizes: readonly number[] = [100, 300], freed = false): Uint8Array {
  const trace = new Trace();
  const add = (kind: EventKind, detail: number, a = 0, b = 0, c = 0) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  add(EventKind.heapCreated, 0, 0x1000, 8);
  add(EventKind.segmentAdded, 0, 0x1000, 0x100000, 0x1000);
  sizes.forEach((size, nth) => {
    trace.append(textRecords(`${name}${nth}`));
    add(EventKind.stringDefined, 0, nth + 1);
    add(EventKind.siteDefined, 0, nth + 1, 0, nth + 1);
    add(EventKind.siteEntered, 0, nth + 1);
    add(EventKind.opBegun, 1, 0, size);
    add(EventKind.blockAllocated, 0, 0x2000 + nth * 0x1000, size);
    add(EventKind.opEnded, 1, 0x2000 + nth * 0x1000, size);
    if (!freed) return;
    add(EventKind.opBegun, 2, 0x2000 + nth * 0x1000);
    add(EventKind.blockFreed, 0, 0x2000 + nth * 0x1000);
    add(EventKind.opEnded, 2);
  });
  trace.append(textRecords(name));
  add(EventKind.mark, MarkCode.named);
  return new Uint8Array(encodeTraceFile(trace, 4, { title: name }));
}
