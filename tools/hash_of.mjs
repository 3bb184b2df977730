// One hash of everything below some paths: what was made from them, or passed with them, is still good while it is the same.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Of the names and the content of tracked and new files, and of Node's version. Some 0.1 s for the whole repository. */
export function hashOf(paths) {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const hash = createHash('sha256').update(process.version);
  for (const name of listed.split('\0').sort()) {
    if (name === '' || !existsSync(join(root, name))) continue;
    hash.update(`\0${name}\0`).update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}
