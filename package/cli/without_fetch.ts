// How a program starts whose JavaScript takes Node's fetch for a browser's, as that of Emscripten before 3.1.27 does: there is none. Node 24
// has no option for that any more, so a line before the program removes it, in each thread.

const kRemoved = 'data:text/javascript,delete globalThis.fetch';

/** Options of node, before the script. */
export const kWithoutFetch: readonly string[] = ['--import', kRemoved];

/** The same for a shell. */
export const kNodeWithoutFetch = `node --import '${kRemoved}'`;
