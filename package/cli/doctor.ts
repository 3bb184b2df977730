// heapglass doctor [app.wasm ...]: what of a setup does not fit, and what to do about it.
//
//   ok       Node 20.20.2
//   advice   no Emscripten is found: ... finished modules can be recorded without it
//   wrong    app.wasm cannot be instrumented: it has no function with a name that an allocator's has, ...
//
//   D1  Each line is of something that was looked at: a program that was started, a file that was read, a module that was instrumented in
//       memory. Nothing is written.
//   D2  wrong: a command of heapglass would fail. advice: it works, and more is to be had. Exit code 1 if something is wrong.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packaged } from './files.ts';
import { describeModule } from './module_findings.ts';
import { printLine } from './output.ts';
import { kNodeWithoutFetch } from './without_fetch.ts';

export interface Finding {
  readonly grade: 'ok' | 'advice' | 'wrong';
  readonly text: string;
}

const kLeastEmscripten = [3, 1, 6];
const kNewFetch = [3, 1, 27]; // from here on the glue takes Node's fetch for Node's
const kMillisecondsForEmcc = 60_000; // its first start checks its cache

/** The exit code. */
export async function doctor(modules: readonly string[]): Promise<number> {
  const findings = [...node(), ...archives(), ...emscripten(), ...peers()];
  for (const module of modules) findings.push(...(await describeModule(module)));
  for (const { grade, text } of findings) printLine(`${grade.padEnd(8)} ${text}`);
  return findings.some(({ grade }) => grade === 'wrong') ? 1 : 0;
}

function node(): Finding[] {
  const needed = manifestOf(packaged('../package.json'))?.engines?.node ?? '';
  const least = numbersIn(needed);
  const fits = isAtLeast(numbersIn(process.version), least);
  if (fits) return [{ grade: 'ok', text: `Node ${process.version.slice(1)}` }];
  return [
    { grade: 'wrong', text: `Node ${process.version.slice(1)} is older than ${least.join('.')}: install a newer one` },
  ];
}

function archives(): Finding[] {
  const lib = packaged('emscripten/lib');
  if (existsSync(join(lib, 'libheapglass-malloc-fast.a')))
    return [{ grade: 'ok', text: 'the archives to link are in the package' }];
  return [
    {
      grade: 'wrong',
      text: `${lib} has no archives: install the package anew, or run npm run build:package in a clone`,
    },
  ];
}

function emscripten(): Finding[] {
  const command = process.env['EMCC'] ?? 'emcc';
  let said: string;
  try {
    said = execFileSync(command, ['--version'], { encoding: 'utf8', stdio: 'pipe', timeout: kMillisecondsForEmcc });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return [{ grade: 'wrong', text: `"${command} --version" fails: ${lastLine(error)}` }];
    const where = 'EMCC names one that is not in PATH';
    return [
      {
        grade: 'advice',
        text: `there is no ${command}: programs cannot be linked here; finished modules can be recorded. ${where}`,
      },
    ];
  }
  const version = numbersIn(said);
  const text = `Emscripten ${version.join('.')}`;
  if (!isAtLeast(version, kLeastEmscripten))
    return [{ grade: 'wrong', text: `${text} is older than ${kLeastEmscripten.join('.')}, the oldest that is tested` }];
  if (isAtLeast(version, kNewFetch)) return [{ grade: 'ok', text }];
  const how = `heapglass run does that, or ${kNodeWithoutFetch} app.js`;
  return [
    {
      grade: 'advice',
      text: `${text}: its JavaScript takes the fetch of Node 18 and newer for a browser's. Start programs without it: ${how}`,
    },
  ];
}

/** Packages that are asked for only by those who use them. */
function peers(): Finding[] {
  const wanted = manifestOf(packaged('../package.json'))?.peerDependencies ?? {};
  return Object.entries(wanted).flatMap(([name, range]): Finding[] => {
    const version = versionOf(name);
    const least = numbersIn(range);
    if (version === undefined)
      return name === 'binaryen'
        ? [
            {
              grade: 'advice',
              text: `binaryen is not installed: npm install ${name}@${least[0]}, for instrument and for heapglass/vite`,
            },
          ]
        : [];
    if (isAtLeast(numbersIn(version), least)) return [{ grade: 'ok', text: `${name} ${version}` }];
    return [
      {
        grade: 'wrong',
        text: `${name} ${version} is older than the package asks for (${range}): npm install ${name}@${least[0]}`,
      },
    ];
  });
}

interface Manifest {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** Of the package that a command finds: beside the project in whose folder it runs, or beside heapglass. */
function versionOf(name: string): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), packaged('bin/heapglass.mjs')]) {
    for (const folder of createRequire(from).resolve.paths(name) ?? []) {
      const version = manifestOf(join(folder, name, 'package.json'))?.version;
      if (version !== undefined) return version;
    }
  }
  return undefined;
}

/** The first number with dots in a text: ">=20.19", "v20.20.2", "emcc (...) 3.1.6 ()". */
const numbersIn = (text: string): number[] => (/\d+(?:\.\d+)+|\d+/.exec(text)?.[0] ?? '0').split('.').map(Number);

function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  for (const [i, wanted] of least.entries()) {
    const has = version[i] ?? 0;
    if (has !== wanted) return has > wanted;
  }
  return true;
}

function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return said.split('\n').at(-1) || (error instanceof Error ? error.message : String(error));
}
