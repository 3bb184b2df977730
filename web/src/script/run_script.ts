// Runs a script to its end and says where it failed.
//
//   RS1  A text that cannot be read is named at its line before anything runs: engines of browsers name no line for that.
//   RS2  While it runs, the line is that of the nearest call of the script's own text on the stack.
//   RS3  Math.random is seeded, so that a script does the same each time and for everyone who gets its link.
//   RS4  What a script throws is the script's: reading it may throw again, and its text may have any length.

import { parse } from 'acorn';
import { createRandom } from '../base/random.ts';
import type { ScriptError, ScriptStep } from '../protocol/scripts.ts';
import type { Operate } from './script_calls.ts';
import { createScriptHeap } from './script_heap.ts';

const kName = 'script.js';
const kPlace = /script\.js:(\d+):(\d+)/;
const kMostLines = 1000;
const kMostCharacters = 2000;
const kNoPlace = { line: undefined, column: undefined };

export interface ScriptHost {
  readonly operate: Operate;
  onStep(step: ScriptStep): void;
  print(line: string): void;
}

/** undefined: it ran to its end. */
export function runScript(text: string, host: ScriptHost): ScriptError | undefined {
  const unread = syntaxError(text);
  if (unread !== undefined) return unread;
  const names = { ...createScriptHeap(host.operate, host.onStep), console: consoleOf(host.print) };
  const random = Math.random;
  try {
    Math.random = createRandom(1).unit; // RS3
    compiled(Object.keys(names), text)(...Object.values(names));
    return undefined;
  } catch (error) {
    return placed(error);
  } finally {
    Reflect.set(Math, 'random', random); // a script may have frozen it
  }
}

function compiled(names: readonly string[], text: string): (...values: unknown[]) => unknown {
  return new Function(...names, `'use strict';\n${text}\n//# sourceURL=${kName}`) as (...values: unknown[]) => unknown;
}

/** RS1 */
function syntaxError(text: string): ScriptError | undefined {
  try {
    parse(text, { ecmaVersion: 'latest', allowReturnOutsideFunction: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & { readonly loc?: { readonly line: number; readonly column: number } };
    const message = `The script cannot be read: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`;
    return { message, line: loc?.line, column: loc && loc.column + 1 };
  }
}

/** RS2, RS4 */
export function placed(error: unknown): ScriptError {
  try {
    if (!(error instanceof Error)) return { ...kNoPlace, message: shortOf(`The script threw ${String(error)}`) };
    const { name, message, stack } = error;
    const place = kPlace.exec(String(stack));
    return {
      message: shortOf(name === 'HeapError' ? String(message) : `${name}: ${message}`),
      line: place === null ? undefined : Number(place[1]) - linesAhead(),
      column: place === null ? undefined : Number(place[2]),
    };
  } catch {
    return { ...kNoPlace, message: 'The script threw an error that cannot be shown' };
  }
}

const shortOf = (text: string): string => (text.length > kMostCharacters ? `${text.slice(0, kMostCharacters)}…` : text);

/** Lines that the browser and compiled() put before the text. */
function linesAhead(): number {
  const probe = compiled([], 'return new Error().stack')();
  return Number(kPlace.exec(String(probe))?.[1] ?? 1) - 1;
}

function consoleOf(print: (line: string) => void) {
  let lines = 0;
  const log = (...values: readonly unknown[]): void => {
    if (++lines > kMostLines) return;
    const line = values.map(textOf).join(' ').slice(0, kMostCharacters);
    print(lines === kMostLines ? `${line} … more lines are not shown` : line);
  };
  return { log, info: log, warn: log, error: log };
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value); // it contains itself
  }
}
