// Call stacks of JavaScript, as engines write them into Error().stack.
//
//   V8                  at new Counter (http://host/app.js:12:5)        at http://host/app.js:12:5
//                       at Counter (eval at named (http://host/app.js:7:1), <anonymous>:4:34)
//   Firefox, Safari   load@http://host/app.js:12:5                    Counter@http://host/app.js line 7 > Function:4:34
//
//  stack.1  A function that was made from text stands where that was done.
//  stack.2  Frames of wasm, of the engine and of Node's own scripts are left out.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

export interface StackFrame {
  readonly name: string; // '' where the engine has none
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The engine's own address: with what stands behind it for the server (`app.ts?worker`), since each may be another text. */
  readonly script: string;
}

/** What V8 has beside the standard. */
interface Traced {
  stackTraceLimit?: number;
  prepareStackTrace?: unknown;
}

const kMostFrames = 40; // that the engine is asked for
const kEvaluated = /\(([^()\s]+):(\d+):(\d+)\)/; // stack.1
const kV8 = /^\s*at (?:(.*?) \()?(?:async )?([^()]+?):(\d+):(\d+)\)?$/;
const kOthers = /^(.*?)@(.+?)(?: line (\d+) > .*)?:(\d+):(\d+)$/;
const kLeftOut = /^(?:node:|wasm:|internal\/|<anonymous>|native)|\.wasm(?:[?#]|$)|wasm-function/;

/** The engine's text, of frames from the `above`-th around this one outward; 0 is who calls this. `most`: that the engine is asked for. */
export function stackText(above: number, most?: number): string {
  const errors = Error as unknown as Traced;
  const limit = errors.stackTraceLimit;
  const prepare = errors.prepareStackTrace;
  try {
    errors.stackTraceLimit = most ?? kMostFrames;
    errors.prepareStackTrace = undefined; // the program's own may give anything
    const text = new Error().stack || '';
    const first = text.startsWith('Error') ? 1 : 0; // V8 has a line of words before
    return text
      .split('\n')
      .slice(first + 1 + above)
      .join('\n');
  } catch (_) {
    return ''; // a realm whose Error is frozen
  } finally {
    try {
      errors.stackTraceLimit = limit as number;
      errors.prepareStackTrace = prepare;
    } catch (_) {} // likewise
  }
}

/** Innermost first, `most` at most. */
export function framesOf(stack: string, most: number): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const line of stack.split('\n')) {
    const frame = frameOf(line);
    if (frame !== undefined) frames.push(frame);
    if (frames.length === most) break;
  }
  return frames;
}

function frameOf(line: string): StackFrame | undefined {
  const v8 = kV8.exec(line);
  const isEvaluated = /^\s*at .*\(eval at /.test(line);
  if (v8 === null && !isEvaluated) {
    const other = kOthers.exec(line);
    if (other === null) return undefined;
    return frame(other[1] as string, other[2] as string, Number(other[3] || other[4]), Number(other[5]));
  }
  if (isEvaluated) {
    const place = kEvaluated.exec(line);
    const name = /^\s*at (.*?) \(eval at /.exec(line);
    if (place === null) return undefined;
    return frame(name === null ? '' : (name[1] as string), place[1] as string, Number(place[2]), Number(place[3]));
  }
  const found = v8 as RegExpExecArray;
  return frame(found[1] || '', found[2] as string, Number(found[3]), Number(found[4]));
}

function frame(name: string, url: string, line: number, column: number): StackFrame | undefined {
  if (kLeftOut.test(url)) return undefined;
  const known = /<anonymous>$/.test(name) ? '' : name.replace(/^async /, '');
  return { name: known, file: fileOf(url), line, column, script: url };
}

export const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '');

/** A path, of a file: address; else the address without what stands behind it for the server. */
function fileOf(url: string): string {
  if (!url.startsWith('file://')) return withoutQuery(url);
  try {
    return decodeURIComponent(withoutQuery(url.slice('file://'.length)));
  } catch (_) {
    return url;
  }
}
