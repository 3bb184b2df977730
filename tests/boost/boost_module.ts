// The cases of Boost's containers as wasm modules, one for each version of Boost in build/boost: built by emcc with
// WebAssembly's own exceptions (-fwasm-exceptions), which need no JavaScript, so that constructors throw there as well.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const kRoot = fileURLToPath(new URL('../..', import.meta.url));
const kOut = 'build/wasm/boost';

/** "1.81": the newest that tools/setup.mjs put into build/boost; all of them in npm run test:all. */
export function boostVersions(): string[] {
  const place = `${kRoot}/build/boost`;
  if (!existsSync(place)) return [];
  const versions = readdirSync(place).filter((name) => existsSync(`${place}/${name}/include/boost`));
  const ascending = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return process.env['HG_TEST'] === 'all' ? ascending : ascending.slice(-1);
}

function sourcesBelow(folder: string, wanted: (path: string) => boolean): string[] {
  return readdirSync(`${kRoot}/${folder}`, { recursive: true })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.cpp') && wanted(path))
    .sort();
}

function newest(paths: readonly string[]): number {
  return Math.max(...paths.map((path) => statSync(`${kRoot}/${path}`).mtimeMs));
}

function emcc(args: readonly string[]): void {
  execFileSync('./wasm-build.sh', ['emcc', ...args], { cwd: kRoot, stdio: ['ignore', 'ignore', 'inherit'] });
}

const boostOf = (version: string): string[] => ['-isystem', `build/boost/${version}/include`];

/** Whether tests/boost/string_shrinks.cpp compiles; throws when it fails for another reason than the one it states. */
function stringShrinks(boost: readonly string[]): boolean {
  const args = ['emcc', '-std=c++20', ...boost, '-fsyntax-only', 'tests/boost/string_shrinks.cpp'];
  const { status, stderr } = spawnSync('./wasm-build.sh', args, { cwd: kRoot, encoding: 'utf8' });
  if (status !== 0 && !stderr.includes('priv_storage')) throw new Error(stderr);
  return status === 0;
}

/** The module's path; built when a source is newer. */
export function buildBoostModule(version: string): string {
  const module = `${kOut}/boost-${version}.wasm`;
  const core = sourcesBelow('core/src', (path) => !/\/abi\/(wasm|libc)_/.test(path));
  const cases = sourcesBelow('tests/boost', (path) => !/\/(native_main|string_shrinks)\.cpp$/.test(path));
  const others = ['tests/boost', 'core/src', 'core/include', 'programs/experiments'].flatMap((folder) =>
    readdirSync(`${kRoot}/${folder}`, { recursive: true })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /\.(hpp|h)$/.test(path)),
  );
  if (existsSync(`${kRoot}/${module}`) && newest([module]) > newest([...core, ...cases, ...others])) return module;
  mkdirSync(`${kRoot}/${kOut}`, { recursive: true });
  const common = ['-std=c++20', '-Icore/include', '-mbulk-memory', '-fwasm-exceptions'];
  const coreObject = `${kOut}/core.o`; // of every version of Boost
  if (!existsSync(`${kRoot}/${coreObject}`) || newest([coreObject]) <= newest([...core, ...others])) {
    writeFileSync(`${kRoot}/${kOut}/core.cpp`, core.map((path) => `#include "../../../${path}"\n`).join(''));
    emcc([...common, '-O1', '-Icore/src', '-c', `${kOut}/core.cpp`, '-o', coreObject]);
  }
  const shrinks = Number(stringShrinks(boostOf(version)));
  const objects = cases.map((path) => `${kOut}/${version}-${path.replace(/^.*\/|\.cpp$/g, '')}.o`);
  for (const [i, path] of cases.entries()) {
    const boost = ['-Itests', '-Iprograms', ...boostOf(version), `-DHG_BOOST_STRING_SHRINKS=${shrinks}`];
    emcc([...common, '-O0', ...boost, '-c', path, '-o', objects[i] ?? '']); // templates without end, that run in a second
  }
  emcc([
    ...['-O1', '-fwasm-exceptions', '-sSTANDALONE_WASM', '--no-entry', '-sALLOW_MEMORY_GROWTH=1'],
    ...['-sERROR_ON_UNDEFINED_SYMBOLS=0', '-sWARN_ON_UNDEFINED_SYMBOLS=0'],
    '-sEXPORTED_FUNCTIONS=_boost_suite,_boost_name,_boost_run,_boost_file,_boost_what',
    ...[...objects, coreObject, '-lc++', '-lc++abi', '-o', module],
  ]);
  return module;
}

interface BoostFunctions {
  readonly memory: WebAssembly.Memory;
  _initialize?(): void;
  boost_suite(number: number): number;
  boost_name(number: number): number;
  boost_run(number: number): number;
  boost_file(): number;
  boost_what(): number;
}

export interface BoostCase {
  readonly suite: string;
  readonly name: string;
  /** undefined: it holds. */
  run(): string | undefined;
}

/** Every case of the module; they share one instance, as they share one process natively. */
export async function boostCases(path: string): Promise<BoostCase[]> {
  const refuse = (name: string) => () => {
    throw new Error(`the module called ${name}`);
  };
  const { instance } = await WebAssembly.instantiate(readFileSync(`${kRoot}/${path}`), {
    env: { emscripten_notify_memory_growth: () => {} },
    wasi_snapshot_preview1: Object.fromEntries(
      ['proc_exit', 'fd_close', 'fd_write', 'fd_seek', 'fd_read', 'environ_get', 'environ_sizes_get'].map((name) => [
        name,
        refuse(name),
      ]),
    ),
  });
  const functions = instance.exports as unknown as BoostFunctions;
  functions._initialize?.();
  const text = (address: number) => {
    const bytes = new Uint8Array(functions.memory.buffer, address);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  };
  const cases: BoostCase[] = [];
  for (let i = 0; functions.boost_name(i) !== 0; ++i) {
    cases.push({
      suite: text(functions.boost_suite(i)),
      name: text(functions.boost_name(i)),
      run() {
        const line = functions.boost_run(i);
        return line === 0 ? undefined : `${text(functions.boost_file())}:${line}: ${text(functions.boost_what())}`;
      },
    });
  }
  return cases;
}
