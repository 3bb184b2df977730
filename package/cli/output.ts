// The door of everything that a command says. Nothing else in package/cli writes to a terminal (tests/cli/output.test.ts looks).
//
//   O1  Whatever is said is shown as text (base/visible.ts): names in a trace, names of files, words of an error.
//   O2  An answer that cannot be written to its end is no answer: one sentence on standard error, and an exit code.

import { visible, visibleJson } from '../../web/src/base/visible.ts';

/** One line on standard error. */
export function say(text: string): void {
  process.stderr.write(`heapglass: ${visible(text.replaceAll('\u202f', ' '))}\n`);
}

/** A text of several lines of our own, whose parts were made visible where it was put together. */
export function print(text: string): void {
  process.stdout.write(`${visible(text, { lines: true })}\n`);
}

/** One line of an answer. */
export function printLine(text: string): void {
  process.stdout.write(`${visible(text.replaceAll('\u202f', ' '))}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleJson(value)}\n`);
}

const kWhy: Readonly<Record<string, string>> = {
  EPIPE: 'its reader has ended',
  ENOSPC: 'the disk is full',
  EIO: 'the device fails',
};

/** O2; `exitCode`: of a command that has no answer. */
export function watchOutput(exitCode: number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const why = kWhy[error.code ?? ''] ?? error.message;
    say(`standard output cannot be written to its end: ${why}`);
    process.exit(exitCode);
  });
  process.stderr.on('error', () => {}); // nobody reads it: the exit code says it
}
