// heapglass instrument app.wasm -o app.hg.wasm: a finished module that records its heap.
//
//   I1  Binaryen is an optional peer of the package, because it is large: it is loaded when this command needs it.
//   I2  What was found and what is not seen is said on standard error; nothing is written when the module cannot be done.

import type binaryen from 'binaryen';
import { formatBytes } from '../../web/src/base/format.ts';
import type { Family, Named } from '../../web/src/instrument/family.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { ModuleProblem } from '../../web/src/instrument/module_problem.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { WasmFileError } from '../../web/src/symbols/index.ts';
import { readBytes, writeOut } from './files.ts';
import { Problem } from './problem.ts';

export interface InstrumentCommand {
  readonly output?: string;
  readonly malloc?: string;
  readonly free?: string;
  readonly calloc?: string;
  readonly realloc?: string;
  readonly memalign?: string;
  readonly posixMemalign?: string;
  readonly stacks?: boolean;
  /** Bytes from one sample to the next, as a mean. */
  readonly sample?: number;
}

const kBinaryen = 'binaryen@132';

export async function instrumentFile(input: string, options: InstrumentCommand): Promise<void> {
  const bytes = readBytes(input, 1);
  const output = options.output ?? input.replace(/(\.wasm)?$/, '.hg.wasm');
  const { binary, family } = instrumented(await loadBinaryen(), bytes, input, options);
  writeOut(output, binary, 1);
  say(`found ${foundText(family)}`);
  for (const note of family.notes) say(note);
  const added = binary.length - bytes.length;
  const sizes = `${formatBytes(binary.length)}, ${formatBytes(Math.abs(added))} ${added < 0 ? 'less' : 'more'} than before`;
  say(`${output}: ${sizes}; heapglass run records a script that loads it`.replaceAll('\u2009', ' '));
}

function instrumented(lib: typeof binaryen, bytes: Uint8Array, input: string, options: InstrumentCommand) {
  const named = namedIn(options);
  try {
    if (options.sample !== undefined) return instrumentSampled(lib, bytes, options.sample, { named });
    return options.stacks === true ? instrumentStacks(lib, bytes, { named }) : instrument(lib, bytes, { named });
  } catch (error) {
    if (!(error instanceof ModuleProblem || error instanceof WasmFileError)) throw error;
    throw new Problem(`"${input}" cannot be instrumented: ${error.message}`);
  }
}

function namedIn({ malloc, free, calloc, realloc, memalign, posixMemalign }: InstrumentCommand): Named {
  const given = { malloc, free, calloc, realloc, memalign, posix_memalign: posixMemalign };
  return Object.fromEntries(Object.entries(given).filter(([, name]) => name !== undefined));
}

async function loadBinaryen(): Promise<typeof binaryen> {
  try {
    return (await import('binaryen')).default;
  } catch {
    throw new Problem(`instrument needs the package binaryen, which is not installed here: npm install ${kBinaryen}`);
  }
}

const foundText = ({ members }: Family): string =>
  members
    .map(({ role, foundAs, func }) => {
      const name = foundAs === role.name ? foundAs : `${role.name} (${foundAs})`;
      return /^\d+$/.test(func) ? `${name} in function ${func}` : name;
    })
    .join(', ');

const say = (text: string): void => console.error(`heapglass: ${text}`);
