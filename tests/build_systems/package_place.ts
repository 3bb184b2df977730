// The package as it lies in a project's node_modules, and the compilers that build against it.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPackage } from '../../tools/built.mjs';
import { glueFlags } from '../link/toolchain.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Place {
  /** The project's folder; below it examples/ as the package brings them. */
  readonly folder: string;
  /** What the command heapglass prints. */
  ask(...args: readonly string[]): string;
  dispose(): void;
}

export async function placePackage(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-builds-'));
  cpSync(builtPackage().project, folder, { recursive: true, verbatimSymlinks: true });
  const dist = join(folder, 'node_modules/heapglass/dist');
  cpSync(join(dist, 'emscripten/examples'), join(folder, 'examples'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n'); // what the glue is
  return {
    folder,
    ask: (...args) =>
      execFileSync(process.execPath, [join(dist, 'bin/heapglass.mjs'), ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim(),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Compiler {
  readonly version: string;
  /** 3.1.69 is 30169. */
  readonly order: number;
  /** With emcc, em++ and emar of this compiler first on PATH. */
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a command; what it printed. Throws with its complaint when it fails. */
  run(cwd: string, command: string, ...args: readonly string[]): string;
  /** The same, for a command that must fail; its complaint. */
  refused(cwd: string, command: string, ...args: readonly string[]): string;
  /** Runs a program under Node. */
  start(script: string, environment?: NodeJS.ProcessEnv): string;
}

/** The compiler that wasm-build.sh finds, and those that HG_EMCC_NEXT names, as PATH names folders. */
export function compilers(): Compiler[] {
  const found = process.env['EMCC'] ?? which('emcc') ?? '';
  const next = (process.env['HG_EMCC_NEXT'] ?? '').split(delimiter);
  return [found, ...next].filter((path) => path !== '').map((path) => compiler(path));
}

export const which = (command: string): string | undefined => {
  const { stdout, status } = spawnSync('which', [command], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

function compiler(emcc: string): Compiler {
  const tools = join(root, 'build/build_systems', emcc.replaceAll(/\W/g, '_')); // others may run with another one
  mkdirSync(tools, { recursive: true });
  for (const tool of ['emcc', 'em++', 'emar']) {
    const real = emcc.replace(/emcc$/, tool);
    // As wasm-build.sh does: Debian's compiler finds its own packages there, whatever the node.
    const packages = '[ ! -d /usr/share/nodejs ] || export NODE_PATH=/usr/share/nodejs';
    const script = `#!/bin/sh\n${packages}\nPATH='${process.env['PATH']}' exec '${real}' "$@"\n`;
    writeFileSync(join(tools, tool), script);
    chmodSync(join(tools, tool), 0o755);
  }
  const environment = { ...process.env, PATH: `${tools}:${dirname(process.execPath)}:${process.env['PATH']}` };
  const run = (cwd: string, command: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}) => {
    mkdirSync(cwd, { recursive: true });
    return spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...environment, ...extra }, maxBuffer: 1 << 26 });
  };
  const version = /\b(\d+)\.(\d+)\.(\d+)\b/.exec(run(tmpdir(), 'emcc', ['--version']).stdout);
  if (version === null) throw new Error(`${emcc} has no version`);
  const [major = 0, minor = 0, patch = 0] = version.slice(1).map(Number);
  const order = major * 10_000 + minor * 100 + patch;
  return {
    version: version[0],
    order,
    environment,
    run(cwd, command, ...args) {
      const { status, stdout, stderr } = run(cwd, command, args);
      if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
      return stdout;
    },
    refused(cwd, command, ...args) {
      const { status, stdout, stderr } = run(cwd, command, args);
      if (status === 0) throw new Error(`${command} ${args.join(' ')} did not fail`);
      return `${stdout}\n${stderr}`;
    },
    start(script, extra = {}) {
      const flags = glueFlags(order);
      const { status, stdout, stderr } = run(dirname(script), process.execPath, [...flags, script], extra);
      if (status !== 0) throw new Error(`${script}\n${stdout}\n${stderr}`);
      return stdout.trim();
    },
  };
}
