// What heapglass doctor says of a finished module: whether it can be recorded, and what a recording would have.

import { formatBytes } from '../../web/src/base/format.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { isLinked } from '../../web/src/instrument/linked.ts';
import { checkBytes, ModuleProblem, problemOf } from '../../web/src/instrument/module_problem.ts';
import { customSection, readSections, sourceMapUrl, WasmFileError } from '../../web/src/symbols/index.ts';
import { candidates, firstOf } from '../recorded/beside.ts';
import { loadBinaryenAlone } from '../recorded/binaryen.ts';
import { withOffer } from '../recorded/offer.ts';
import { triedCompanions } from '../recorded/trial.ts';
import type { Finding } from './doctor.ts';
import { readBytes } from './files.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';

export async function describeModule(path: string): Promise<Finding[]> {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(path, 1);
  } catch (error) {
    if (error instanceof Problem) return [{ grade: 'wrong', text: error.message }];
    throw error;
  }
  const refused = refusalOf(bytes); // before the engine's, which may be older than what the module is made of
  if (refused !== undefined) return [{ grade: 'wrong', text: `${path}: ${refused}` }];
  const finding = await recording(path, bytes).catch((error: unknown): Finding => {
    if (!(error instanceof WasmFileError)) throw error; // it is cut or damaged
    return { grade: 'wrong', text: `${path}: ${error.message}` };
  });
  if (WebAssembly.validate(new Uint8Array(bytes))) return [finding, names(path, bytes)];
  if (finding.grade === 'wrong') return [finding];
  const { message } = problemOf(new Error('this engine does not accept it'), bytes);
  return [finding, { grade: 'wrong', text: `${path} does not run in this Node: ${message}` }];
}

function refusalOf(bytes: Uint8Array): string | undefined {
  try {
    checkBytes(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof ModuleProblem) return error.message;
    throw error;
  }
}

async function recording(path: string, bytes: Uint8Array): Promise<Finding> {
  if (isLinked(bytes))
    return { grade: 'ok', text: `${path} is linked with heapglass and records itself: heapglass run` };
  const binaryen = await loadBinaryenAlone();
  if (binaryen === undefined)
    return { grade: 'advice', text: `${path}: without binaryen it is not known whether it can be instrumented` };
  const tried = candidates({}, bytes, path);
  try {
    const { made, by } = firstOf(tried, (named) => instrument(binaryen, bytes, { named, triedCompanions }));
    const roles = made.family.members.map(({ role }) => role.name).join(', ');
    const found = by === undefined ? 'by its names' : `by ${by}`;
    const more = formatBytes(Math.max(0, made.binary.length - bytes.length));
    return { grade: 'ok', text: `${path} can be instrumented: ${roles} are found ${found}; ${more} more` };
  } catch (error) {
    return {
      grade: 'wrong',
      text: `${path} cannot be instrumented: ${problemOf(withOffer(error, bytes, say), bytes).message}`,
    };
  }
}

function names(path: string, bytes: Uint8Array): Finding {
  const sections = readSections(bytes);
  const has = (name: string) => customSection(bytes, sections, name) !== undefined;
  const map = sourceMapUrl(bytes);
  if (has('.debug_line'))
    return { grade: 'ok', text: `${path}: call sites will have functions, files and lines (DWARF)` };
  if (map !== undefined)
    return { grade: 'ok', text: `${path}: call sites will have functions, files and lines (source map ${map})` };
  const advice =
    'link with -g for files and lines, or instrument it with --callers for the lines of JavaScript that call it';
  if (has('name')) return { grade: 'advice', text: `${path}: call sites will have functions; ${advice}` };
  return {
    grade: 'advice',
    text: `${path} has no names of functions: call sites will be numbers; link with --profiling-funcs for functions, and ${advice}`,
  };
}
