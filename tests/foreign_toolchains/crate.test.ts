// The Rust crate from its packed file: the lines of its README, pasted into an empty project, for both targets and with each feature.
// Without a Rust for a target its tests are skipped, and a line says so.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCrate, packCrate } from '../../tools/build_crate.mjs';
import { findCommand } from '../../tools/find_chromium.mjs';
import { forEachBlock } from '../../web/src/answers/held.ts';
import { makeImports, type TraceImports, tracedExports } from '../../web/src/attach/exports_recorder.ts';
import { recorderOf } from '../../web/src/attach/recorder_of.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { Trace } from '../../web/src/trace/trace.ts';
import { hasLibrary } from './toolchains.ts';

const cargo = process.env['CARGO'] ?? findCommand('cargo');
const rustc = process.env['RUSTC'] ?? findCommand('rustc');
const kTargets = ['wasm32-unknown-unknown', 'wasm32-wasip1'] as const;
const kFeatures = ['', 'small', 'trace', 'small,trace', 'lossless'] as const;

const kProgram = `
#[unsafe(no_mangle)]
pub extern "C" fn letters(count: u32) -> u32 {
    let words: Vec<String> = (0..count).map(|i| format!("word {i}")).collect();
    words.iter().map(|word| word.len() as u32).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn keep(bytes: usize) {
    std::mem::forget(std::hint::black_box(vec![1u8; bytes]));
}

#[repr(align(256))]
struct Wide([u8; 300]);

#[unsafe(no_mangle)]
pub extern "C" fn aligned() -> bool {
    let wide: Vec<Box<Wide>> = (0..100).map(|_| Box::new(Wide([7; 300]))).collect();
    wide.iter().all(|one| &**one as *const Wide as usize % 256 == 0 && one.0[299] == 7)
}

/// Of two vectors of 2 GiB memory holds one, and the program goes on.
#[unsafe(no_mangle)]
pub extern "C" fn refused() -> bool {
    let (mut first, mut second): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    let held = first.try_reserve_exact(0x7fff_ffff).is_ok();
    held && second.try_reserve_exact(0x7fff_ffff).is_err() && vec![1u8; 100].len() == 100
}
`;

interface Exports {
  letters(count: number): number;
  keep(bytes: number): void;
  aligned(): number;
  refused(): number;
}

let folder: string;
let said: string;
let readme: string;
const project = () => join(folder, 'project');

beforeAll(() => {
  if (cargo === undefined || rustc === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'heapglass-crate-'));
  const packed = packCrate(buildCrate(join(folder, 'crate')), cargo);
  said = packed.said;
  execFileSync('tar', ['xzf', packed.file, '-C', folder]);
  readme = readFileSync(join(folder, 'heapglass-0.1.0/README.md'), 'utf8');
  mkdirSync(project());
  const run = (...given: readonly string[]) => execFileSync(cargo, given, { cwd: project(), stdio: 'pipe' });
  run('init', '--lib', '--vcs', 'none', '--name', 'project');
  const [add = ''] = blocksOf('sh');
  run(...add.trim().split(' ').slice(1), '--offline', '--path', '../heapglass-0.1.0');
  const [allocator = ''] = blocksOf('rust');
  writeFileSync(join(project(), 'src/lib.rs'), allocator + kProgram);
});
afterAll(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }));

/** The README's blocks of a language. */
const blocksOf = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block]) => block ?? '');

interface Built {
  readonly instance: WebAssembly.Instance;
  readonly imports: TraceImports | undefined;
}

async function built(target: string, features: string): Promise<Built> {
  const command = ['rustc', '--quiet', '--offline', '--release', '--crate-type', 'cdylib', '--target', target];
  const manifest = readFileSync(join(project(), 'Cargo.toml'), 'utf8');
  const list = features
    .split(',')
    .filter(Boolean)
    .map((name) => `"${name}"`);
  const dependency = `heapglass = { version = "0.1.0", path = "../heapglass-0.1.0", features = [${list.join(', ')}] }`;
  writeFileSync(join(project(), 'Cargo.toml'), manifest.replace(/^heapglass = .*$/m, dependency));
  execFileSync(cargo ?? '', command, { cwd: project(), stdio: 'pipe' });
  const module = await WebAssembly.compile(readFileSync(join(project(), 'target', target, 'release/project.wasm')));
  const imported = WebAssembly.Module.imports(module).map((one) => one.module);
  const wanted = features === 'lossless' ? ['heapglass'] : [];
  expect(imported.filter((name) => name !== 'wasi_snapshot_preview1')).toEqual(wanted);
  if (target === 'wasm32-unknown-unknown') expect(imported).toEqual(wanted);
  const wasi = new WASI({ version: 'preview1' });
  const imports = features === 'lossless' ? makeImports() : undefined;
  const given = { ...(wasi.getImportObject() as WebAssembly.Imports), ...imports };
  const instance = await WebAssembly.instantiate(module, given);
  if (target === 'wasm32-wasip1') wasi.initialize(instance);
  return { instance, imports };
}

const missing = cargo === undefined || rustc === undefined;
if (missing) console.log('crate: skipped, there is no cargo or rustc');

test.skipIf(missing)('cargo packs it without a warning', () => {
  expect(said).toMatch(/Packaged \d+ files/);
  expect(said).not.toMatch(/warning/);
});

describe.each(kTargets)('%s', (target) => {
  const isThere = rustc !== undefined && hasLibrary(rustc, target);
  if (!isThere) console.log(`crate: skipped, there is no std for it (rustup target add ${target})`);

  test.skipIf(!isThere).each(kFeatures)('with the features "%s" the lines of the README run', async (features) => {
    const { instance, imports } = await built(target, features);
    const exports = instance.exports as unknown as Exports;
    expect(exports.aligned()).toBe(1);
    const isLossless = features === 'lossless';
    if (isLossless) expect(exports.letters(100_000)).toBe(988_890); // its snapshot is larger than the ring
    const isTraced = tracedExports(instance.exports) !== undefined;
    expect(isTraced).toBe(isLossless || features.includes('trace'));
    if (isTraced) expect(leftBy(instance, exports, imports)).toBe(1);
    expect(exports.letters(100_000)).toBe(988_890);
    expect(exports.refused()).toBe(1);
  });
});

/** How many blocks of 5,000 bytes, rounded up by a quarter at most, a recording says to be kept of one. */
function leftBy(instance: WebAssembly.Instance, exports: Exports, imports: TraceImports | undefined): number {
  const trace = new Trace();
  const recorder = recorderOf(instance, imports);
  recorder.subscribe(({ records }) => trace.append(records), { past: true });
  exports.keep(5000);
  recorder.drain();
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBe(undefined);
  let kept = 0;
  forEachBlock(model.head.state, 0, (_, size) => {
    if (size >= 5000 && size < 6500) kept += 1;
  });
  return kept;
}
