// The crate, in a folder of its own with what it brings: build/crate/. crate/ has the sources; its archives are those of build/wasm.
//
//   node tools/build_crate.mjs [--package]       with --package also build/crate/target/package/heapglass-*.crate, which cargo packs and
//                                                compiles once; says where it is

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const kProfiles = ['freestanding', 'small', 'trace'];

/** Its folder. */
export function buildCrate(folder = join(root, 'build/crate')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'lib'), { recursive: true });
  cpSync(join(root, 'crate'), folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const profile of kProfiles) {
    const name = `libheapglass-malloc-${profile}.a`;
    const archive = join(root, 'build/wasm', name);
    if (!existsSync(archive)) throw new Error(`missing ${archive}: run ./wasm-build.sh first`);
    copyFileSync(archive, join(folder, 'lib', name));
  }
  return folder;
}

/** The packed file, and what cargo said. */
export function packCrate(folder, cargo = process.env.CARGO ?? 'cargo') {
  const given = ['package', '--offline', '--allow-dirty', '--target-dir', 'target'];
  const said = execFileSync('sh', ['-c', '"$0" "$@" 2>&1', cargo, ...given], { cwd: folder, encoding: 'utf8' });
  const packed = join(folder, 'target/package');
  const file = readdirSync(packed).find((name) => name.endsWith('.crate'));
  if (file === undefined) throw new Error(`cargo package made no file:\n${said}`);
  return { file: join(packed, file), said };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = buildCrate();
  if (process.argv[2] !== '--package') console.log(folder);
  else {
    const { file, said } = packCrate(folder);
    console.log(`${said}${file}`);
  }
}
