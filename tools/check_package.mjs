// npm run check:package: publint and Are the types wrong? judge the packed file, as npm and TypeScript of a user would see it.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPackage } from './built.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) =>
  execFileSync(join(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' });

try {
  const { tarball } = builtPackage();
  run('publint', '--strict', tarball);
  run('attw', '--profile', 'esm-only', tarball);
} catch (error) {
  if (error.status === undefined) throw error; // not a command that failed
  process.exitCode = 1;
}
