// Who is compared. Each allocator is a list of link flags; what is linked is proved from the linker's map (build.mjs).
//
//   A1  Peers are folders of peers/: peer.mjs exports { name, prepare(emcc, { threads }), threads } by default; prepare
//       resolves to link flags, or to undefined when it cannot be had here, and has then printed why.
//   A2  `name=file.a` is an allocator of one's own: an archive with libc's names.
//   A3  The first archive or object among the flags is the allocator: the map has to show it, and no other one.

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildOwnArchives, emccCommand, ownArchive, root } from '../harness/compile.mjs';
import { compileObject } from './objects.mjs';

/** @typedef {{ name: string, flags: string[], threadFlags?: string[] }} Allocator threadFlags: with -pthread, where it can */

export const kReference = 'dlmalloc';

/** The allocator of counted builds and of recording. */
export const kCounting = { name: kReference, flags: [`-sMALLOC=${kReference}`] };

/** malloc's names over the small front, row D: the mechanism the default front is measured against. */
async function rowD() {
  const shim = join(root, 'programs/replay/row_d_malloc.c');
  const object = await compileObject(shim, ['-O3', '-fno-builtin', `-I${join(root, 'core/include')}`]);
  return [object, ownArchive('release')];
}

const ofEmscripten = (name, since = 0) => {
  const flags = ({ release }) => (release >= since ? [`-sMALLOC=${name}`] : undefined);
  return { flags, threadFlags: flags };
};

const kKnown = {
  heapglass: { flags: () => [ownArchive('malloc-fast')], threadFlags: () => [ownArchive('malloc-fast-threads')] },
  'heapglass-small': { flags: () => [ownArchive('malloc-small')] },
  dlmalloc: ofEmscripten('dlmalloc'),
  emmalloc: ofEmscripten('emmalloc'),
  mimalloc: ofEmscripten('mimalloc', 50),
  'row-d': { flags: rowD },
};

function givenArchive(file) {
  if (!existsSync(file)) throw new Error(`there is no archive ${file}`);
  return { flags: () => [resolve(file)], threadFlags: () => [resolve(file)] };
}

async function loadPeers() {
  const folder = join(root, 'tests/bench/malloc/peers');
  const peers = {};
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const path = join(folder, name, 'peer.mjs');
    if (!existsSync(path)) continue;
    const { default: peer } = await import(pathToFileURL(path).href);
    const prepare = async (how) => {
      try {
        return await peer.prepare(emccCommand(), how);
      } catch (error) {
        console.log(
          `${peer.name} is left out: ${String(error.stderr || error.message)
            .split('\n', 3)
            .join('\n')}`,
        );
        return undefined;
      }
    };
    peers[peer.name] = {
      flags: () => prepare({}),
      threadFlags: peer.threads ? () => prepare({ threads: true }) : undefined,
    };
  }
  return peers;
}

/**
 * The allocators that can be had with this compiler, in the order of the tables.
 * @param {string[] | undefined} wanted names, or name=archive; undefined: all
 * @param {{ release: number }} compiler the third number of Emscripten 3.1.x, infinite for later ones
 * @returns {Promise<Allocator[]>}
 */
export async function prepareAllocators(wanted, compiler) {
  buildOwnArchives();
  const known = { ...kKnown, ...(await loadPeers()) };
  const names = wanted ?? Object.keys(known);
  const prepared = [];
  for (const word of names) {
    const [name, archive] = word.split('=');
    if (archive !== undefined) known[name] = givenArchive(archive);
    if (known[name] === undefined)
      throw new Error(`no allocator is called ${name}: there are ${Object.keys(known).join(', ')}`);
    const flags = await known[name].flags(compiler);
    if (flags === undefined) continue;
    prepared.push({ name, flags, threadFlags: await known[name].threadFlags?.(compiler) });
  }
  return prepared;
}
