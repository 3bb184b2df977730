// The command heapglass: which words lead to which file here. An unknown word is answered with the one that was meant.
//
//   heapglass --ldflags ...        flags.ts     what a build needs; as it was before there were commands
//   heapglass run | instrument | symbolize | view | report | ask | diff | replay | convert | doctor     commands.ts, and one file each
//
//   A1  Answers go to standard output, everything else to standard error, begun with "heapglass: ".
//   A2  Exit code 1 when something is wrong with the command or a file; report has its own (report.ts, Z1).

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { commands, heapglassCommand } from './commands.ts';
import { packaged } from './files.ts';
import { type FlagOptions, flagsFor, kFlagsHelp } from './flags.ts';
import { print, say, watchOutput } from './output.ts';
import { fileProblem, kNoAnswer, Problem } from './problem.ts';

const kHelp = `heapglass: record, show and report on the heap of a WebAssembly program

  heapglass run app.js [argument ...]        runs a program under Node and records its heap
  heapglass instrument app.wasm -o out.wasm  makes a finished module record its heap, whatever toolchain it is from
  heapglass view trace ...                   shows recorded heaps in the browser
  heapglass report trace                     what a trace says: peaks, sizes, lifetimes, leaks, growth, advice
  heapglass report trace --assert 'peak<32MiB leaks=0'
  heapglass ask "why grow" trace              who holds, what leaked, why it grew, what fits, what pins: a sentence each
  heapglass symbolize trace app.wasm         names, files and lines for the sites of a trace
  heapglass diff before after                what grew, what is new, what is gone, by call site
  heapglass replay trace                     the same calls on other allocators: time, memory, bytes of code
  heapglass convert in out                   to and from the formats of other tools
  heapglass doctor [app.wasm ...]            what of a setup does not fit, and what to do about it
  heapglass <command> --help                 the options of a command

`;

const given = process.argv.slice(2);
const first = given[0];
const noAnswer = first === 'report' || first === 'ask' || first === 'diff' ? kNoAnswer : 1;
watchOutput(noAnswer);
try {
  if (first === undefined || first.startsWith('-')) answerFlags(given);
  else await (await commands(first)).parseAsync(given, { from: 'user' });
} catch (error) {
  process.exitCode = codeOf(error);
}

/** Says what is wrong, if that was not done yet. */
function codeOf(error: unknown): number {
  if (error instanceof Problem) {
    say(error.message);
    return error.exitCode;
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : noAnswer; // help was printed
  const failure = systemFailure(error);
  if (failure !== undefined) say(fileProblem(failure, failure.path ?? failure.syscall, noAnswer).message);
  else sayFault(error);
  return noAnswer;
}

// A declaration: the command runs before what stands below it is assigned.
function systemFailure(error: unknown): (NodeJS.ErrnoException & { readonly syscall: string }) | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('syscall' in error && typeof error.syscall === 'string')
    return error as NodeJS.ErrnoException & { readonly syscall: string };
  return systemFailure(error.cause);
}

/** A fault of ours. The stack is for who mends it. */
function sayFault(error: unknown): void {
  say(`this is a fault of heapglass, please report it: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env.HEAPGLASS_STACK !== undefined && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) say(line);
  else say('with HEAPGLASS_STACK=1 in the environment it says where');
}

function answerFlags(args: readonly string[]): void {
  const program = heapglassCommand(new Command('heapglass'))
    .helpOption(false)
    .allowExcessArguments(false)
    .option('--ldflags')
    .option('--cflags')
    .option('--lib-dir')
    .option('--cmake-dir')
    .option('--pkgconfig-dir')
    .option('--port')
    .option('--threads')
    .option('--standalone')
    .option('--shrink')
    .option('--discard')
    .option('--version')
    .option('-h, --help')
    .option('--profile <name>', undefined, 'fast')
    .parse(args, { from: 'user' });
  const options = program.opts<FlagOptions & { readonly help?: boolean; readonly version?: boolean }>();
  if (options.help === true || args.length === 0) print((kHelp + kFlagsHelp).trimEnd());
  else if (options.version === true) print(version());
  else print(flagsFor(options));
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packaged('../package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}
