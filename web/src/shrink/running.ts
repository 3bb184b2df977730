// Whether a call into a program has not returned, read from the engine's stack of calls when somebody asks. To count calls took 1 ns of each.
//
//   program's JavaScript ─▶ forwarder ─▶ wasm ─▶ import ─▶ JavaScript ─▶ running()?
//                           ^ its frame is there as long as the call
//
//  running.R1  Whoever calls into wasm goes through a forwarder, and a forwarder's frame has the name kForwarder. It is no last call: JavaScriptCore
//      gives the frame of a last call away.
//  running.R2  An engine is believed where it showed the frame of a call once, at the beginning (readsStack). Elsewhere calls are counted.
//  running.R3  Firefox lists 128 frames at most, whatever it is asked for. Where just so many are listed, and none is a forwarder's, nobody can
//      say.
//  running.R4  Frames behind an asynchronous step have returned: Firefox lists them with the kind of the step before the name.
//  running.R5  The frames of all programs have one name. A program that is asked from within another one is said to run.

export const kForwarder = 'heapglass forwarder';

const kMostListed = 128; // R3
const kAsynchronous = /^[^@]*\*/; // R4

interface Site {
  getFunctionName(): string | null;
}
interface StackSettings {
  stackTraceLimit?: number;
  prepareStackTrace?: unknown;
}

/** Calls through forwarders that have not returned; undefined: the engine does not say. */
export function forwardersOnStack(): number | undefined {
  const settings = Error as unknown as StackSettings;
  const limit = settings.stackTraceLimit;
  const prepare = settings.prepareStackTrace;
  try {
    settings.stackTraceLimit = Number.POSITIVE_INFINITY;
    settings.prepareStackTrace = (_: unknown, sites: unknown) => sites; // V8: neither source maps nor a program's own text
    const stack = (new Error() as { readonly stack?: unknown }).stack;
    if (Array.isArray(stack)) return (stack as Site[]).filter((site) => site.getFunctionName() === kForwarder).length;
    return typeof stack === 'string' ? forwardersIn(stack) : undefined;
  } catch {
    return undefined; // settings that nobody may change
  } finally {
    restore(settings, 'stackTraceLimit', limit);
    restore(settings, 'prepareStackTrace', prepare);
  }
}

function restore(settings: StackSettings, name: 'stackTraceLimit' | 'prepareStackTrace', value: unknown): void {
  try {
    if (value === undefined) delete settings[name];
    else (settings as Record<string, unknown>)[name] = value;
  } catch {} // nobody may change it, so it is what it was
}

/** Of lines `name@place`. For tests: Node has no such lines. */
export function forwardersIn(stack: string): number | undefined {
  const lines = stack.split('\n').filter((line) => line !== '');
  let found = 0;
  for (const line of lines) {
    if (kAsynchronous.test(line)) return found;
    if (line.slice(0, line.indexOf('@')).indexOf(kForwarder) >= 0) ++found;
  }
  return found === 0 && lines.length === kMostListed ? undefined : found;
}

/** R2. `through` calls its argument through a forwarder. */
export function readsStack(through: (call: () => number | undefined) => number | undefined): boolean {
  const outside = forwardersOnStack();
  return outside !== undefined && through(forwardersOnStack) === outside + 1;
}
