// npm run check:package: packs the package and has publint and Are the types wrong? judge the tarball, as npm and
// TypeScript of a user would see it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heapglass-check-'));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });
const bin = (name) => join(root, 'node_modules/.bin', name);

try {
  run('node', join(root, 'tools/pack_package.mjs'), folder);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  run(bin('publint'), '--strict', tarball);
  run(bin('attw'), '--profile', 'esm-only', tarball);
} catch (error) {
  if (error.status === undefined) throw error; // not a command that failed
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
