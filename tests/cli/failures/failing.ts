// A command of which one call to the system fails (fail_at.mjs).

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BareCommand } from '../bare_command.ts';

const kPreload = fileURLToPath(new URL('./fail_at.mjs', import.meta.url));
const kLimit = 300_000; // milliseconds, for what hangs; a command takes a second of a core that nobody else wants

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The name of the call that failed; '' when there are fewer calls. */
  readonly failed: string;
}

/** program: the call fails in the process of this script, not in that of the command. */
export function runFailing(cli: BareCommand, given: readonly string[], failAt: number, program?: string): Ran {
  const log = join(cli.folder, '.dist/log.json');
  rmSync(log, { force: true });
  const own = program === undefined ? ['--import', kPreload] : [];
  const env = {
    ...process.env,
    HG_FAIL_AT: String(failAt),
    HG_FAIL_LOG: log,
    HG_FAIL_IN: program ?? cli.command,
    ...(program === undefined ? {} : { NODE_OPTIONS: `--import=${kPreload}` }),
  };
  const options = { cwd: cli.folder, encoding: 'utf8', env, timeout: kLimit } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...own, cli.command, ...given], options);
  const { failed } = existsSync(log) ? (JSON.parse(readFileSync(log, 'utf8')) as { failed: string }) : { failed: '' };
  return { status, stdout, stderr, failed };
}
