// An empty project with the packed tarball installed, as a user gets it: npm pack (which builds dist/), npm install
// without network and without scripts.
//
// The tests of one run share one tarball: building dist/ twice at a time in one folder would be no build.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** `fixtures`: a folder whose files are put beside the installed package. */
export function installPacked(fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-package-'));
  const packed = packOnce();
  const tarball = basename(packed);
  cpSync(packed, join(folder, tarball));
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

const kLooksEveryMs = 200;

/** The tarball of this run: the first who asks makes it, in a folder named after the process of the run, and the others wait for it. */
function packOnce(): string {
  const runs = join(root, 'build/tarballs');
  const folder = join(runs, String(process.ppid));
  mkdirSync(runs, { recursive: true });
  const made = () => readdirSync(folder).find((name) => name.endsWith('.tgz'));
  try {
    mkdirSync(folder);
  } catch {
    for (;;) {
      const name = made();
      if (name !== undefined) return join(folder, name);
      if (existsSync(join(folder, 'failed'))) throw new Error('npm pack failed, in another test of this run');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, kLooksEveryMs);
    }
  }
  for (const run of readdirSync(runs)) {
    if (!isRunning(Number(run))) rmSync(join(runs, run), { recursive: true, force: true });
  }
  const making = join(folder, 'making');
  mkdirSync(making);
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', making], { cwd: root, stdio: 'pipe' });
    const name = readdirSync(making).find((each) => each.endsWith('.tgz'));
    if (name === undefined) throw new Error('npm pack wrote no tarball');
    renameSync(join(making, name), join(folder, name));
    return join(folder, name);
  } catch (error) {
    writeFileSync(join(folder, 'failed'), '');
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // asks, and sends nothing
    return true;
  } catch {
    return false;
  }
}
