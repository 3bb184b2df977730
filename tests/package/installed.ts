// An empty project with the packed tarball installed, as a user gets it: tools/pack_package.mjs (which builds dist/), npm install
// without network and without scripts.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

export function installPacked(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-package-'));
  execFileSync('node', [join(root, 'tools/pack_package.mjs'), folder], { cwd: root, stdio: 'pipe' });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack wrote no tarball');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  run('npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`);
  cpSync(fileURLToPath(new URL('./fixtures', import.meta.url)), folder, { recursive: true });
  return {
    folder,
    tarball: join(folder, tarball),
    run,
    runTool: (tool, ...args) => run(join(root, 'node_modules/.bin', tool), ...args),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
