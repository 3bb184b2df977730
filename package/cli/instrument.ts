// heapglass instrument app.wasm -o app.hg.wasm: a finished module that records its heap.
//
//   I1  Binaryen is an optional peer of the package, because it is large: it is loaded when this command needs it.
//   I3  A program that is linked with heapglass records itself; --stacks adds its call sites (instrument/linked.ts).
//   I4  Which functions are the allocator: what the options name, the module's own names, or those in a script beside the module.
//   I2  What was found and what is not seen is said on standard error; nothing is written when the module cannot be done.

import type binaryen from 'binaryen';
import { formatBytes } from '../../web/src/base/format.ts';
import type { Family, Named } from '../../web/src/instrument/family.ts';
import { namesInGlue, saysAllocator } from '../../web/src/instrument/glue_names.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { instrumentLinked, isLinked } from '../../web/src/instrument/linked.ts';
import { problemOf } from '../../web/src/instrument/module_problem.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { WasmFileError } from '../../web/src/symbols/index.ts';
import { candidates } from '../recorded/beside.ts';
import { readBytes } from './files.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';
import { refuseOnto, writeOut } from './write_out.ts';

export interface InstrumentCommand {
  readonly output?: string;
  readonly malloc?: string;
  readonly free?: string;
  readonly calloc?: string;
  readonly realloc?: string;
  readonly memalign?: string;
  readonly posixMemalign?: string;
  /** Emscripten's JavaScript beside the module. */
  readonly glue?: string;
  readonly stacks?: boolean;
  /** Bytes from one sample to the next, as a mean. */
  readonly sample?: number;
}

const kBinaryen = 'binaryen@132';

export async function instrumentFile(input: string, options: InstrumentCommand): Promise<void> {
  const output = options.output ?? input.replace(/(\.wasm)?$/, '.hg.wasm');
  refuseOnto([input, options.glue], [output], 1);
  const bytes = readBytes(input, 1);
  const { binary, notes } = instrumented(await loadBinaryen(), bytes, input, options);
  writeOut(output, binary, 1);
  for (const each of notes) say(each);
  const added = binary.length - bytes.length;
  const sizes = `${formatBytes(binary.length)}, ${formatBytes(Math.abs(added))} ${added < 0 ? 'less' : 'more'} than before`;
  say(`${output}: ${sizes}; heapglass run records a script that loads it`);
}

interface Made {
  readonly binary: Uint8Array;
  /** What there is to say about it, in sentences. */
  readonly notes: readonly string[];
}

function instrumented(lib: typeof binaryen, bytes: Uint8Array, input: string, options: InstrumentCommand): Made {
  try {
    if (isLinked(bytes)) return linked(lib, bytes, input, options);
    const { binary, family, script } = rewritten(lib, bytes, input, options);
    const by = script === undefined ? '' : `, by ${script} beside the module`;
    return { binary, notes: [`found ${foundText(family)}${by}`, ...family.notes] };
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { message } = error instanceof WasmFileError ? error : problemOf(error, bytes);
    throw new Problem(`"${input}" cannot be instrumented: ${message}`);
  }
}

/** I4 */
function rewritten(lib: typeof binaryen, bytes: Uint8Array, input: string, options: InstrumentCommand) {
  const given = { ...(options.glue === undefined ? {} : fromGlue(options.glue, bytes)), ...namedIn(options) };
  const tried = candidates(given, bytes, options.glue === undefined ? input : undefined);
  let why: unknown;
  for (const { named, script } of tried) {
    try {
      return { ...rewrite(lib, bytes, named, options), script };
    } catch (error) {
      why ??= error;
    }
  }
  throw why;
}

function rewrite(lib: typeof binaryen, bytes: Uint8Array, named: Named, options: InstrumentCommand) {
  if (options.sample !== undefined) return instrumentSampled(lib, bytes, options.sample, { named });
  return options.stacks === true ? instrumentStacks(lib, bytes, { named }) : instrument(lib, bytes, { named });
}

/** I3 */
function linked(lib: typeof binaryen, bytes: Uint8Array, input: string, options: InstrumentCommand): Made {
  if (options.stacks !== true) {
    throw new Problem(
      `"${input}" is linked with heapglass and records itself already. Use heapglass run with it; only --stacks can add something, its call sites`,
    );
  }
  const { bytes: binary, wrapped } = instrumentLinked(lib, bytes);
  return {
    binary,
    notes: [`it is linked with heapglass and records itself; call sites are added in ${wrapped.join(', ')}`],
  };
}

function fromGlue(path: string, module: Uint8Array): Named {
  const found = namesInGlue(new TextDecoder().decode(readBytes(path, 1)), module);
  if (saysAllocator(found)) return found;
  throw new Problem(
    `"${path}" does not say which export is malloc: give the JavaScript that Emscripten wrote beside the module`,
  );
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
    .map(({ role, foundAs, func, index }) => {
      const name = foundAs === role.name ? foundAs : `${role.name} (${foundAs})`;
      return /^\d+$/.test(func) ? `${name} in function ${index}` : name;
    })
    .join(', ');
