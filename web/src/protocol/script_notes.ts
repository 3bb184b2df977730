// Notes of a script's worker, read from their text. The script has replaced whatever it could: a note of another shape is none, and
// the numbers in it are numbers before the engine gets them.
//
//   SN1  An operation has exactly the fields that its kind has here; a field of another kind makes it none.

import { type Addr, addr } from '../base/brand.ts';
import type { Operation } from './messages.ts';
import { kMostAtOnce, type ScriptError, type ScriptNote, type ScriptStep } from './scripts.ts';

type Kind = 'number' | 'numberOrNone' | 'numbers';

/** The operations that a script can make (web/src/script). */
const kFields: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  allocate: { size: 'number' },
  allocateAligned: { alignment: 'number', size: 'number' },
  deallocate: { mem: 'number' },
  reallocate: { mem: 'number', size: 'number' },
  command: { flags: 'number', objectSize: 'number', limit: 'number', preferred: 'number', reuse: 'numberOrNone' },
  burstNodes: { count: 'number', size: 'number', contiguous: 'number' },
  burstDeallocate: { mems: 'numbers' },
  poolCreate: {
    shape: 'number',
    nodeSize: 'number',
    nodesPerBlock: 'number',
    maxFreeBlocks: 'number',
    overheadPercent: 'number',
  },
  poolAllocate: { pool: 'number', count: 'number' },
  poolDeallocate: { pool: 'number', mem: 'number' },
  poolTrim: { pool: 'number' },
  poolDestroy: { pool: 'number' },
  mallocAllocate: { thread: 'numberOrNone', size: 'number', count: 'number' },
  mallocFree: { thread: 'numberOrNone', mem: 'number' },
  mallocReallocate: { thread: 'numberOrNone', mem: 'number', size: 'number' },
  trim: { pad: 'number' },
};
const kLongestText = 10_000;

/** undefined: it is no note. */
export function readNote(data: unknown): ScriptNote | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    return noteOf(objectOf(JSON.parse(data)));
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function noteOf({ type, steps, line, error }: Fields): ScriptNote | undefined {
  if (type === 'begun') return { type };
  if (type === 'printed') return { type, line: textOf(line) };
  if (type === 'ended') return { type, error: error === undefined ? undefined : errorOf(objectOf(error)) };
  if (type === 'steps' && Array.isArray(steps)) return { type, steps: steps.map((step) => stepOf(objectOf(step))) };
  return undefined;
}

const errorOf = ({ message, line, column }: Fields): ScriptError => ({
  message: textOf(message),
  line: optionalNumber(line),
  column: optionalNumber(column),
});

function stepOf({ operation, gave, chapter }: Fields): ScriptStep {
  if (operation === undefined) return { chapter: textOf(chapter).slice(0, 80) };
  const at = optionalNumber(gave);
  return { operation: operationOf(objectOf(operation)), gave: at === undefined ? undefined : addr(at) };
}

function operationOf(given: Fields): Operation {
  const { op } = given;
  const fields = typeof op === 'string' && Object.hasOwn(kFields, op) ? kFields[op] : undefined;
  if (fields === undefined) throw new TypeError('no operation of a script');
  const read: Record<string, unknown> = { op };
  for (const [name, kind] of Object.entries(fields)) {
    const value = given[name];
    read[name] = kind === 'numbers' ? numbersOf(value) : kind === 'number' ? numberOf(value) : optionalNumber(value);
  }
  return read as Operation; // SN1
}

function objectOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError('no object');
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value.length <= kLongestText) return value;
  throw new TypeError('no text');
}

/** A number of 32 bits, as the module takes. */
function numberOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) return value;
  throw new TypeError('no number');
}

const optionalNumber = (value: unknown): number | undefined => (value === undefined ? undefined : numberOf(value));

function numbersOf(value: unknown): Addr[] {
  if (!Array.isArray(value) || value.length > kMostAtOnce) throw new TypeError('no addresses');
  return value.map((each) => addr(numberOf(each)));
}
