// npm run package [folder]: the tarball as npm gets it, into the folder (default: here). Prints its path.
//
//   build/npm/   package.json   of the repository, without what only the repository needs
//                README.md      package/README.md, for whoever installs it; the repository's own is for whoever clones it
//                LICENSE, CHANGELOG.md, THIRD_PARTY_LICENSES.md, dist/
//
//   P1  The repository's package.json is private: nothing but this folder can be published.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const staged = join(root, 'build/npm');
const target = resolve(process.argv[2] ?? '.');

await import('./build_package.mjs');
rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
const {
  private: _,
  scripts,
  devDependencies,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(root, 'package/README.md'), join(staged, 'README.md'));
for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(staged, name));
copyFileSync(join(root, 'build/package/THIRD_PARTY_LICENSES.md'), join(staged, 'THIRD_PARTY_LICENSES.md'));
cpSync(join(root, 'dist'), join(staged, 'dist'), { recursive: true });
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
  cwd: staged,
  encoding: 'utf8',
});
console.log(join(target, packed.trim()));
