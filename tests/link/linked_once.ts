// Programs that are linked once for the same words, sources and headers, and for all test files that ask at the same time.
//
//   build/links/<version>/<name>/<key>/<name>.js .wasm ...       the key is a hash of everything that goes in
//                         <name>/<key>.<random>                  while it is being linked; then renamed

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../../tools/hash_of.mjs';

const kOld = 24 * 3_600_000;
const isFile = (word: string): boolean => word !== '' && statSync(word, { throwIfNoEntry: false })?.isFile() === true;

function keyOf(words: readonly string[]): string {
  const hash = createHash('sha256').update(
    hashOf(['core/include', 'core/src', 'tests/link/programs', 'tests/record/programs']),
  );
  for (const word of words) hash.update(`\0${word}`).update(isFile(word) ? readFileSync(word) : '');
  return hash.digest('hex').slice(0, 20);
}

/** The path of `file` in a folder that `link` has filled, now or before. Two that link the same at once both do, and one is kept. */
export async function linkedOnce(
  place: string,
  file: string,
  words: readonly string[],
  link: (path: string) => Promise<unknown>,
): Promise<string> {
  const { linked, making } = folderFor(place, file, words);
  if (making === undefined) return linked;
  await link(join(making, file));
  return keep(place, linked, making);
}

/** The same, for tests that wait for each command. */
export function linkedOnceNow(place: string, file: string, words: readonly string[], link: (path: string) => unknown) {
  const { linked, making } = folderFor(place, file, words);
  if (making === undefined) return linked;
  link(join(making, file));
  return keep(place, linked, making);
}

/** Where the file is, or will be once the folder `making` was filled and kept. */
function folderFor(place: string, file: string, words: readonly string[]) {
  const folder = join(place, keyOf([file, ...words]));
  const linked = join(folder, file);
  if (existsSync(linked)) return { linked };
  mkdirSync(place, { recursive: true });
  const making = mkdtempSync(`${folder}.`);
  writeFileSync(join(making, 'package.json'), '{ "type": "commonjs" }\n'); // what the glue is, its threads' too
  return { linked, making };
}

function keep(place: string, linked: string, making: string): string {
  try {
    renameSync(making, dirname(linked));
  } catch (error) {
    if (!existsSync(linked)) throw error;
    rmSync(making, { recursive: true });
    return linked;
  }
  for (const other of readdirSync(place)) {
    const old = join(place, other); // of older sources; what another test may be running is newer
    if (Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > kOld)
      rmSync(old, { recursive: true, force: true });
  }
  return linked;
}
