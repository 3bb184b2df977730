// The compilers that link the programs of this folder, and how what they make is run.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { kWithoutFetch } from '../../package/cli/without_fetch.ts';
import { linkedOnce } from './linked_once.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const here = join(root, 'tests/link');
const run = promisify(execFile);

/** npm run test:all, npm run check:links: all rows, all profiles, all compilers. */
export const kFull = process.env['HG_LINKS'] === 'full';

export interface Toolchain {
  readonly version: string;
  /** 3.1.69 is 30169. */
  readonly order: number;
  /** undefined: the one that wasm-build.sh finds. */
  readonly emcc: string | undefined;
  link(name: string, sources: readonly string[], flags: readonly string[]): Promise<Linked>;
}

export interface Linked {
  readonly wasm: string;
  /** Runs the program with the arguments; what it printed on standard output. Throws when it fails. */
  run(...given: readonly string[]): Promise<string>;
  /** Runs it once for each list of arguments, each in a fresh instance (fresh_instances.mjs); what each printed. undefined: it was ended after `limit`. */
  runEach(limit: number, lists: readonly (readonly string[])[]): Promise<(string | undefined)[]>;
  /** The same, ended after so many milliseconds. */
  runWithin(limit: number, ...given: readonly string[]): Promise<string>;
}

const archives = join(root, 'build/wasm');

export function archive(profile: string): string {
  const path = join(archives, `libheapglass-malloc-${profile}.a`);
  if (!existsSync(path)) throw new Error(`missing ${path}: run ./wasm-build.sh first`);
  return path;
}

/** What `npx heapglass --ldflags --profile hardened --standalone` prints beside the archive of malloc. */
export const wasiEntropy = (): string[] => [
  join(archives, 'libheapglass-wasi-entropy.a'),
  '--js-library',
  join(root, 'package/emscripten/heapglass_wasi.js'),
];

/** The compiler that wasm-build.sh finds; with the full matrix also the newer one. */
export function toolchains(newer = kFull): Toolchain[] {
  const next = process.env['HG_EMCC_NEXT'];
  return [toolchain(process.env['EMCC']), ...(newer && next !== undefined ? [toolchain(next)] : [])];
}

const command = join(root, 'wasm-build.sh');

/** What each compiler says of itself, which takes it a third of a second. */
const versions = new Map<string | undefined, string>();
function versionOf(emcc: string | undefined, env: NodeJS.ProcessEnv): string {
  const said = versions.get(emcc) ?? execFileSync(command, ['emcc', '--version'], { env, encoding: 'utf8' });
  versions.set(emcc, said);
  return said;
}

function toolchain(emcc: string | undefined): Toolchain {
  const environment = { ...process.env, ...(emcc === undefined ? {} : { EMCC: emcc }) };
  const said = versionOf(emcc, environment);
  const version = /\b(\d+)\.(\d+)\.(\d+)\b/.exec(said);
  if (version === null) throw new Error(`no version in: ${said}`);
  const [major = 0, minor = 0, patch = 0] = version.slice(1).map(Number);
  const order = major * 10_000 + minor * 100 + patch;
  const out = join(root, 'build/links', version[0]);
  return {
    version: version[0],
    order,
    emcc,
    async link(name, sources, flags) {
      const standalone = flags.includes('-sSTANDALONE_WASM');
      const programs = sources.map((source) => resolve(here, 'programs', source));
      const cxx = sources.some((source) => source.endsWith('.cpp')) ? ['-std=c++20', '-fno-exceptions'] : [];
      const given = ['emcc', ...programs, ...cxx, ...flags, '-Wno-experimental', '--profiling-funcs'];
      const file = `${name}${standalone ? '.wasm' : '.js'}`;
      const path = await linkedOnce(join(out, name), file, [said, ...given], (made) =>
        run(command, [...given, '-o', made], { env: environment, maxBuffer: 1 << 26 }),
      );
      const start = standalone
        ? ['--no-warnings', join(here, 'run_standalone.mjs'), path]
        : [...glueFlags(order), path];
      const runWithin = async (timeout: number, ...programArguments: readonly string[]) =>
        (await run(process.execPath, [...start, ...programArguments], { timeout, maxBuffer: 1 << 26 })).stdout;
      return {
        wasm: path.replace(/\.js$/, '.wasm'),
        run: (...programArguments) => runWithin(60_000, ...programArguments),
        runEach: (limit, lists) => runEach(path, limit, lists),
        runWithin,
      };
    },
  };
}

async function runEach(glue: string, limit: number, lists: readonly (readonly string[])[]) {
  const printed: (string | undefined)[] = [];
  while (printed.length < lists.length) {
    const execArgv = [...kWithoutFetch]; // glueFlags
    const worker = new Worker(join(here, 'fresh_instances.mjs'), {
      workerData: { glue, lists: lists.slice(printed.length) },
      execArgv,
    });
    await new Promise<void>((done, failed) => {
      const loops = () => {
        printed.push(undefined);
        void worker.terminate();
      };
      let overdue = setTimeout(loops, limit);
      worker.on('message', (text: string) => {
        printed.push(text);
        clearTimeout(overdue);
        overdue = setTimeout(loops, limit);
      });
      worker.on('error', failed);
      worker.on('exit', () => {
        clearTimeout(overdue);
        done();
      });
    });
  }
  return printed;
}

/** Older JavaScript glue takes a global fetch for a browser's and asks it for a file. */
export const glueFlags = (order: number): string[] => (order < 30_127 ? [...kWithoutFetch] : []);
