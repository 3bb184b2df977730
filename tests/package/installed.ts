// An empty project with the packed tarball installed, as a user gets it: tools/pack_package.mjs (which builds dist/), npm install
// without network and without scripts.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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

/** The tarball's path. Packed by the first test file of a run that asks; the others wait for it: packing rebuilds dist/. */
function packedOnce(): string {
  const runs = join(root, 'build/packed');
  const run = join(runs, String(process.ppid)); // of the process that runs the test files
  const said = join(run, 'path');
  mkdirSync(runs, { recursive: true });
  try {
    mkdirSync(run);
  } catch {
    while (!existsSync(said)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    const path = readFileSync(said, 'utf8');
    if (path === '') throw new Error('packing failed in another test file, which says why');
    return path;
  }
  for (const old of readdirSync(runs)) if (join(runs, old) !== run) rmSync(join(runs, old), { recursive: true });
  let path = '';
  try {
    const printed = execFileSync('node', [join(root, 'tools/pack_package.mjs'), run], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    path = printed.trim().split('\n').at(-1) ?? '';
    return path;
  } finally {
    writeFileSync(`${said}.new`, path);
    renameSync(`${said}.new`, said);
  }
}

/** `fixtures`: a folder whose files are put beside the installed package. */
export function installPacked(fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-package-'));
  const packed = packedOnce();
  const tarball = basename(packed);
  copyFileSync(packed, join(folder, tarball));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  run('npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`);
  cpSync(fixtures, folder, { recursive: true });
  return {
    folder,
    tarball: join(folder, tarball),
    run,
    runTool: (tool, ...args) => run(join(root, 'node_modules/.bin', tool), ...args),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
