// Programs of tests/build_systems/programs, linked by one compiler in every way of the package, and run: under each Node that is there, and in a page.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReport } from '../../web/src/report/report.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { glueFlags } from '../link/toolchain.ts';
import type { Compiler, Place } from './package_place.ts';

const here = fileURLToPath(new URL('./programs', import.meta.url));

export interface Program {
  readonly name: string;
  readonly source: string;
  readonly compile: readonly string[];
  readonly link: readonly string[];
  /** Of the program that is instrumented: modules with threads are not tried for functions without names. */
  readonly names?: string;
  readonly hasThreads: boolean;
  readonly printed: RegExp;
}

const kGrowth = '-sALLOW_MEMORY_GROWTH';
const one = { hasThreads: false, compile: [] };
export const kPrograms: readonly Program[] = [
  { ...one, name: 'embind', source: 'bound.cpp', link: ['-lembind', kGrowth], printed: /^drawn \d+$/ },
  {
    ...one,
    name: 'exceptions',
    source: 'thrown.cpp',
    compile: ['-fexceptions'],
    link: ['-fexceptions', kGrowth],
    printed: /^thrown \d+, words \d+$/,
  },
  {
    ...one,
    name: 'exceptions of wasm',
    source: 'thrown.cpp',
    compile: ['-fwasm-exceptions'],
    link: ['-fwasm-exceptions', kGrowth],
    printed: /^thrown \d+, words \d+$/,
  },
  {
    name: 'threads',
    source: 'handed.cpp',
    compile: ['-pthread'],
    link: ['-pthread', '-sPTHREAD_POOL_SIZE=4', '-sEXIT_RUNTIME', '-sINITIAL_MEMORY=64MB'],
    names: '--profiling-funcs',
    hasThreads: true,
    printed: /^handed \d+$/,
  },
];

export interface NodeUsed {
  readonly command: string;
  readonly version: string;
}

/** The Node that runs this, and the others that HG_NODE_NEXT names. */
export function nodes(): [NodeUsed, ...NodeUsed[]] {
  const others = (process.env['HG_NODE_NEXT'] ?? '').split(delimiter).filter((path) => path !== '');
  const used = (command: string): NodeUsed => ({
    command,
    version: spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.trim(),
  });
  return [used(process.execPath), ...others.map(used)];
}

/** One program, compiled once. */
export class Build {
  readonly folder: string;
  readonly #place: Place;
  readonly #compiler: Compiler;
  readonly #program: Program;
  readonly #linked = new Map<string, string>();

  constructor(place: Place, compiler: Compiler, program: Program) {
    this.#place = place;
    this.#compiler = compiler;
    this.#program = program;
    this.folder = join(place.folder, `${compiler.version}-${program.name.replaceAll(' ', '_')}`);
  }

  /** The script, in a folder of its own; `asked`: of `heapglass --ldflags`. */
  link(name: string, asked: readonly string[]): string {
    const given = [...asked, ...(this.#program.hasThreads ? ['--threads'] : [])];
    return this.#link(name, () => ['-O1', ...this.#place.ask('--ldflags', ...given).split(' ')]);
  }

  /** With the toolchain's malloc, and names as short as the toolchain makes them. */
  linkPlain(): string {
    const { names } = this.#program;
    return this.#link('plain', () => ['-O3', ...(names === undefined ? [] : [names])]);
  }

  #link(name: string, flags: () => readonly string[]): string {
    const { compile, link, source } = this.#program;
    const folder = join(this.folder, name);
    const script = join(folder, 'program.js');
    const object = join(this.folder, 'program.o');
    if (this.#linked.size === 0)
      this.#run(this.folder, '-std=c++17', '-O2', ...compile, '-c', join(here, source), '-o', object);
    if (!this.#linked.has(name)) this.#run(folder, object, ...flags(), ...link, '-o', 'program.js');
    this.#linked.set(name, script);
    return script;
  }

  #run(folder: string, ...given: readonly string[]): void {
    this.#compiler.run(folder, 'em++', ...given);
  }

  /** `script`, with a module that `heapglass instrument` made; where no name says which function is malloc, by the functions that it proposes. */
  instrument(script: string, name: string, options: readonly string[]): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    for (const file of ['program.js', 'program.worker.js']) {
      const from = script.replace('program.js', file);
      if (from === script || spawnSync('test', ['-f', from]).status === 0)
        writeFileSync(join(folder, file), readFileSync(from));
    }
    const wasm = script.replace(/js$/, 'wasm');
    const given = ['instrument', wasm, '-o', join(folder, 'program.wasm'), ...options];
    try {
      this.#place.ask(...given);
    } catch (error) {
      const proposed = /you mean: (--malloc .*)/.exec(String((error as { stderr?: string }).stderr))?.[1];
      if (proposed === undefined) throw error;
      console.log(`${script}: ${proposed}`);
      this.#place.ask(...given, ...proposed.trim().split(' '));
    }
    return join(folder, 'program.js');
  }

  /** What the program prints. */
  start({ command }: NodeUsed, script: string): string {
    return said(command, [...glueFlags(this.#compiler.order), script]);
  }

  /** By `heapglass run`: what the program prints, and the report of its trace. */
  record({ command }: NodeUsed, script: string): { readonly printed: string; readonly report: Report } {
    const file = script.replace(/js$/, 'hgtrace');
    rmSync(file, { force: true });
    const heapglass = join(this.#place.folder, 'node_modules/heapglass/dist/bin/heapglass.mjs');
    const printed = said(command, [heapglass, 'run', '-o', file, script]);
    return { printed, report: reportOf(file) };
  }
}

function said(command: string, given: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, given, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ${given.join(' ')}\n${stdout}\n${stderr}`);
  return stdout.trim();
}

/** What a trace says, in whose report nothing is missing. */
function reportOf(file: string): Report {
  const decoded = decodeTraceFile(readFileSync(file));
  if (!decoded.ok) throw new Error(decoded.error.message);
  const report = makeReport(decoded.value, { name: basename(file) });
  if (!report.trace.whole) throw new Error(report.notices.join('; '));
  return report;
}
