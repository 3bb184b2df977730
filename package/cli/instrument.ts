// heapglass instrument app.wasm -o app.hg.wasm: a finished module that records its heap.
//
//   I3  A program that is linked with heapglass records itself; --stacks adds its call sites (instrument/linked.ts).
//   I7  Where no name says which functions allocate, all that could be are tried, and what behaves so is offered (recorded/trial.ts).
//   I4  Which functions are the allocator: what the options name, the module's own names, or those in a script beside the module or in its
//       package.
//   I5  In a script every module that can be is exchanged, and the others stay; the allocator is what the script itself says. Where it has only
//       the bytes, it is what another script of its package says that has no program itself.
//   I2  What was found and what is not seen is said on standard error; nothing is written when the module cannot be done.

import { basename } from 'node:path';
import type binaryen from 'binaryen';
import { formatBytes } from '../../web/src/base/format.ts';
import type { Family, Named } from '../../web/src/instrument/family.ts';
import { namesInGlue, saysAllocator } from '../../web/src/instrument/glue_names.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { instrumentLinked, isLinked } from '../../web/src/instrument/linked.ts';
import { checkBytes, memoriesIn, problemOf } from '../../web/src/instrument/module_problem.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { instrumentStacks, type StackOptions } from '../../web/src/instrument/stacks.ts';
import { WasmFileError } from '../../web/src/symbols/index.ts';
import { type Candidates, candidates, firstOf, withSaid } from '../recorded/beside.ts';
import { kBinaryen, loadBinaryenAlone } from '../recorded/binaryen.ts';
import { namesOfModule } from '../recorded/module_names.ts';
import { withOffer } from '../recorded/offer.ts';
import { allSaidBy } from '../recorded/said_names.ts';
import { triedCompanions } from '../recorded/trial.ts';
import { readBytes } from './files.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';
import { exchanged, hasProgram, modulesIn, noModule, type ScriptModule, scriptIn } from './script_modules.ts';
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
  /** Stacks go on to the lines of JavaScript that called. */
  readonly callers?: boolean;
  /** Bytes from one sample to the next, as a mean. */
  readonly sample?: number;
}

export async function instrumentFile(input: string, options: InstrumentCommand): Promise<void> {
  const bytes = readBytes(input, 1);
  const script = scriptIn(bytes, input);
  const output = options.output ?? outputOf(input, script !== undefined);
  refuseOnto([input, options.glue], [output], 1);
  if (script === undefined) refuseModule(bytes, input);
  const lib = await loadBinaryenAlone();
  if (lib === undefined)
    throw new Problem(`instrument needs the package binaryen, which is not installed here: npm install ${kBinaryen}`);
  const { binary, notes } =
    script === undefined
      ? instrumented(lib, bytes, input, options, { file: input })
      : inScript(lib, script, input, options);
  writeOut(output, binary, 1);
  for (const each of notes) say(each);
  const added = binary.length - bytes.length;
  const sizes = `${formatBytes(binary.length)}, ${formatBytes(Math.abs(added))} ${added < 0 ? 'less' : 'more'} than before`;
  say(`${output}: ${sizes}; heapglass run records a script that loads it`);
}

/** What the bytes forbid is said before Binaryen is loaded, which takes a second. */
function refuseModule(bytes: Uint8Array, input: string): void {
  try {
    checkBytes(bytes);
  } catch (error) {
    throw refusal(error, bytes, input);
  }
}

function refusal(error: unknown, bytes: Uint8Array, input: string): Problem {
  const { message } = error instanceof WasmFileError ? error : problemOf(withOffer(error, bytes, say), bytes);
  return new Problem(`"${input}" cannot be instrumented: ${message}`);
}

const outputOf = (input: string, isScript: boolean): string =>
  isScript ? input.replace(/\.\w+$/, '.hg$&') : input.replace(/(\.wasm)?$/, '.hg.wasm');

interface Made {
  readonly binary: Uint8Array;
  /** What there is to say about it, in sentences. */
  readonly notes: readonly string[];
}

/** I5 */
function inScript(lib: typeof binaryen, text: string, input: string, options: InstrumentCommand): Made {
  const modules = modulesIn(text, input);
  const others = new Map<ScriptModule, Uint8Array>();
  const notes: string[] = [];
  const problems = new Map<number, Problem>(); // by the module's bytes
  for (const module of modules) {
    const { bytes } = module;
    try {
      const made = instrumented(lib, bytes, input, options, { script: input, text });
      others.set(module, made.binary);
      notes.push(...made.notes);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.set(bytes.length, error);
    }
  }
  if (modules.every(({ bytes }) => memoriesIn(bytes) === 0)) throw noModule(input);
  if (others.size === 0) throw problems.get(Math.max(...problems.keys())) ?? new Problem(`"${input}" has no module`);
  const kept = modules.length - others.size;
  if (kept > 0) notes.push(`${kept} ${kept === 1 ? 'other module stays' : 'other modules stay'} as before`);
  return { binary: new TextEncoder().encode(exchanged(text, others)), notes };
}

/** Where the module lies: in a file of its own, or in a script. */
type Where = { readonly file: string } | { readonly script: string; readonly text: string };

function instrumented(
  lib: typeof binaryen,
  bytes: Uint8Array,
  input: string,
  options: InstrumentCommand,
  where: Where,
): Made {
  try {
    if (isLinked(bytes)) return linked(lib, bytes, { input, where }, options);
    const { binary, family, by } = rewritten(lib, bytes, options, where);
    const said = by === undefined ? '' : `, by ${by}`;
    return { binary, notes: [`found ${foundText(family)}${said}`, ...family.notes] };
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw refusal(error, bytes, input);
  }
}

/** I4 */
function rewritten(lib: typeof binaryen, bytes: Uint8Array, options: InstrumentCommand, where: Where) {
  const given = { ...(options.glue === undefined ? {} : fromGlue(options.glue, bytes)), ...namedIn(options) };
  const tried = candidatesOf(given, bytes, where, options.glue === undefined);
  const wantsNames = options.sample === undefined && (options.stacks === true || options.callers === true);
  const namesOf = wantsNames ? namesIn(bytes, where) : undefined;
  const { made, by } = firstOf(tried, (named) => rewrite(lib, bytes, { named, triedCompanions, namesOf }, options));
  return { ...made, by };
}

/** I4, I5 */
function candidatesOf(given: Named, bytes: Uint8Array, where: Where, mayAsk: boolean): Candidates {
  if ('file' in where) return candidates(given, bytes, mayAsk ? where.file : undefined);
  const { script, text } = where;
  const own = withSaid(given, bytes, allSaidBy([[basename(script), text]], bytes, basename(script)));
  if (own.tried.length > 1) return own;
  return candidates(given, bytes, mayAsk ? script : undefined, (other) => !hasProgram(other));
}

const namesIn = (bytes: Uint8Array, where: Where) =>
  namesOfModule(bytes, 'file' in where ? where.file : undefined, say);

function rewrite(lib: typeof binaryen, bytes: Uint8Array, found: StackOptions, options: InstrumentCommand) {
  if (options.sample !== undefined) return instrumentSampled(lib, bytes, options.sample, found);
  if (options.stacks !== true && options.callers !== true) return instrument(lib, bytes, found);
  return instrumentStacks(lib, bytes, { ...found, callers: options.callers === true });
}

/** I3 */
function linked(
  lib: typeof binaryen,
  bytes: Uint8Array,
  { input, where }: { readonly input: string; readonly where: Where },
  options: InstrumentCommand,
): Made {
  if (options.callers === true)
    throw new Problem(`"${input}" is linked with heapglass: its own lines are its call sites; leave --callers out`);
  if (options.stacks !== true) {
    throw new Problem(
      `"${input}" is linked with heapglass and records itself already. Use heapglass run with it; only --stacks can add something, its call sites`,
    );
  }
  const { bytes: binary, wrapped } = instrumentLinked(lib, bytes, namesIn(bytes, where));
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

const foundText = ({ members }: Family): string =>
  members
    .map(({ role, foundAs, func, index }) => {
      const name = foundAs === role.name ? foundAs : `${role.name} (${foundAs})`;
      return /^\d+$/.test(func) ? `${name} in function ${index}` : name;
    })
    .join(', ');
