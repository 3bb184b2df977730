// An empty project with the packed tarball installed, as a user gets it: a copy of the one that tools/built.mjs makes once.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPackage } from '../../tools/built.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Installed {
  readonly folder: string;
  readonly tarball: string;
  /** Runs a command in the project; returns what it printed. Throws, with its output, when it fails. */
  run(command: string, ...args: readonly string[]): string;
  /** The same for a command of this repository's node_modules, which the project does not have. */
  runTool(tool: string, ...args: readonly string[]): string;
  dispose(): void;
}

/** `fixtures`: a folder whose files are put beside the installed package. */
export function installPacked(fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-package-'));
  const made = builtPackage();
  const tarball = basename(made.tarball);
  copyFileSync(made.tarball, join(folder, tarball));
  cpSync(made.project, folder, { recursive: true, verbatimSymlinks: true });
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  cpSync(fixtures, folder, { recursive: true });
  return {
    folder,
    tarball: join(folder, tarball),
    run,
    runTool: (tool, ...args) => run(join(root, 'node_modules/.bin', tool), ...args),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
