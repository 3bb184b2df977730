// Names of files as they were given. Node decodes its arguments as UTF-8, and a name of other bytes is lost: the bytes themselves stand
// in /proc/self/cmdline on Linux.
//
//   N1  A name that is no UTF-8 is looked up there by what Node made of it; two that look the same after that are refused.
//   N2  Elsewhere (macOS and Windows have no such names) the argument is the name.

import { readFileSync } from 'node:fs';
import { Problem } from './problem.ts';

const kReplacement = '\ufffd';
let known: ReadonlyMap<string, readonly Buffer[]> | undefined;

/** What node:fs opens for an argument, or for a path that was made from one. */
export function pathOf(name: string): string | Buffer {
  if (!name.includes(kReplacement)) return name;
  known ??= rawArguments();
  const [raw, other] = known.get(name) ?? [];
  if (raw === undefined) return name;
  if (other === undefined) return raw;
  throw new Problem(`"${name}": two names given look like this, because they are not UTF-8; rename one of them`);
}

/** Where only text can be passed on, as to another process. */
export function refuseBytes(name: string, what: string): void {
  if (typeof pathOf(name) !== 'string')
    throw new Problem(`"${name}": this name is not UTF-8, and ${what}; rename it, or use a link to it`);
}

/** N1: by the whole argument, and by what stands behind "=" or a letter of an option. */
function rawArguments(): ReadonlyMap<string, readonly Buffer[]> {
  const found = new Map<string, Buffer[]>();
  const note = (bytes: Buffer) => {
    const text = bytes.toString();
    const others = found.get(text) ?? [];
    if (!others.some((each) => each.equals(bytes))) found.set(text, [...others, bytes]);
  };
  for (const argument of givenBytes()) {
    note(argument);
    const equals = argument.indexOf('=');
    if (equals >= 0) note(argument.subarray(equals + 1));
    if (argument[0] === 0x2d && argument[1] !== 0x2d) note(argument.subarray(2)); // -oname
  }
  return found;
}

function givenBytes(): Buffer[] {
  try {
    const all = readFileSync('/proc/self/cmdline');
    const parts: Buffer[] = [];
    for (let from = 0; from < all.length; ) {
      const end = all.indexOf(0, from);
      parts.push(all.subarray(from, end < 0 ? all.length : end));
      from = end < 0 ? all.length : end + 1;
    }
    return parts.slice(-(process.argv.length - 2));
  } catch {
    return []; // N2
  }
}
