// The command heapglass: which words lead to which file here. An unknown word is answered with the one that was meant.
//
//   heapglass --ldflags ...        flags.ts     what a build needs; as it was before there were commands
//   heapglass run | instrument | symbolize | view | report | diff | replay | convert     one file each
//
//   A1  Answers go to standard output, everything else to standard error, begun with "heapglass: ".
//   A2  Exit code 1 when something is wrong with the command or a file; report has its own (report.ts, Z1).

import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type ConvertOptions, convert, formatList } from './convert.ts';
import { type DiffOptions, diff, kNoDiff } from './diff.ts';
import { packaged } from './files.ts';
import { type FlagOptions, flagsFor, kFlagsHelp } from './flags.ts';
import type { InstrumentCommand } from './instrument.ts';
import { Problem } from './problem.ts';
import type { ReplayCommandOptions } from './replay.ts';
import { kNoAnswer, type ReportOptions, reportOn } from './report.ts';
import { type RunOptions, runRecorded } from './run.ts';
import { type SymbolizeOptions, symbolize } from './symbolize.ts';
import { type ViewOptions, view } from './view.ts';

const kHelp = `heapglass: record, show and report on the heap of a WebAssembly program

  heapglass run app.js [argument ...]        runs a program under Node and records its heap
  heapglass instrument app.wasm -o out.wasm  makes a finished module record its heap, whatever toolchain it is from
  heapglass view trace ...                   shows recorded heaps in the browser
  heapglass report trace                     what a trace says: peaks, sizes, lifetimes, leaks, growth, advice
  heapglass report trace --assert 'peak<32MiB leaks=0'
  heapglass symbolize trace app.wasm         names, files and lines for the sites of a trace
  heapglass diff before after                what grew, what is new, what is gone, by call site
  heapglass replay trace                     the same calls on other allocators: time, memory, bytes of code
  heapglass convert in out                   to and from the formats of other tools
  heapglass <command> --help                 the options of a command

`;

const given = process.argv.slice(2);
const first = given[0];
try {
  if (first === undefined || first.startsWith('-')) answerFlags(given);
  else await (await commands()).parseAsync(given, { from: 'user' });
} catch (error) {
  process.exitCode = codeOf(error);
}

/** Says what is wrong, if that was not done yet. */
function codeOf(error: unknown): number {
  if (error instanceof Problem) {
    console.error(`heapglass: ${error.message}`);
    return error.exitCode;
  }
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) return 0; // help was printed
  return first === 'report' ? kNoAnswer : first === 'diff' ? kNoDiff : 1;
}

function answerFlags(args: readonly string[]): void {
  const program = told(new Command('heapglass'))
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
    .option('--version')
    .option('-h, --help')
    .option('--profile <name>', undefined, 'fast')
    .parse(args, { from: 'user' });
  const options = program.opts<FlagOptions & { readonly help?: boolean; readonly version?: boolean }>();
  if (options.help === true || args.length === 0) console.log((kHelp + kFlagsHelp).trimEnd());
  else if (options.version === true) console.log(version());
  else console.log(flagsFor(options));
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packaged('../package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

async function commands(): Promise<Command> {
  const program = told(new Command('heapglass')).enablePositionalOptions().helpCommand(false);
  const command = (usage: string) => told(program.command(usage)).allowExcessArguments(false);

  command('run')
    .summary('run a program under Node and record its heap')
    .description(
      'Runs a program under Node and records its heap from the first malloc. The program must be linked with the flags of\n' +
        'heapglass --ldflags --profile trace, or load a module that heapglass instrument made. Options before the script\n' +
        'belong to heapglass, options after it to the program.',
    )
    .argument('<script>', 'the script that Emscripten made: app.js')
    .argument('[argument...]', 'arguments of the program')
    .passThroughOptions()
    .option('-o, --output <file>', 'the trace', 'heapglass.hgtrace')
    .addOption(new Option('--keep <n>', 'keep only about the last n events').argParser(asKept))
    .addOption(
      new Option('--mode <mode>', 'lossless waits for the recorder, drop never does').choices(['lossless', 'drop']),
    )
    .option('--symbols <module>', 'the original module, for the names of call sites')
    .action(async (script: string, args: readonly string[], options: RunOptions & { readonly symbols?: string }) => {
      process.exitCode = await runRecorded(script, args, options);
      if (options.symbols !== undefined && process.exitCode === 0) await symbolize(options.output, options.symbols, {});
    });

  command('instrument')
    .summary('make a finished module record its heap')
    .description(
      'Changes a finished .wasm file so that it records its heap: finds the malloc family by name, wraps it, and changes nothing\n' +
        'else. Needs the package binaryen. If the names were minified, name the functions with the options.',
    )
    .argument('<wasm>')
    .option('-o, --output <file>', 'the instrumented module; default: the name with .hg.wasm')
    .option('--glue <script>', "Emscripten's JavaScript beside the module, which names its minified exports")
    .option('--malloc <function>', 'an export, a function name, or an index')
    .option('--free <function>')
    .option('--calloc <function>')
    .option('--realloc <function>')
    .option('--memalign <function>', 'memalign or aligned_alloc')
    .option('--posix-memalign <function>')
    .option('--stacks', 'record the call stack of each allocation')
    .addOption(
      new Option(
        '--sample <bytes>',
        'record one allocation in so many bytes, with its call stack; cheap enough for production',
      )
        .argParser(asDistance)
        .conflicts('stacks'),
    )
    .action(async (input: string, options: InstrumentCommand) => {
      const { instrumentFile } = await import('./instrument.ts');
      await instrumentFile(input, options);
    });

  command('view')
    .summary('show recorded heaps in the browser')
    .description('Serves the page and the traces to the browsers of this machine, and prints the addresses.')
    .argument('<trace...>')
    .addOption(new Option('--port <number>', 'the port; default: a free one').argParser(asPort).default(0, 'free'))
    .option('--open', 'open the first trace in the browser')
    .action((traces: readonly string[], options: ViewOptions) => view(traces, options));

  command('report')
    .summary('report on a trace')
    .description(
      'Reports peaks, sizes, lifetimes, temporaries, live blocks, fragmentation, the cause of each memory growth, and possible\n' +
        'pools and reserves.',
    )
    .argument('<trace>')
    .option('--json', 'as JSON, described by dist/bin/report_schema.json')
    .option('--html <file>', 'as one self-contained page')
    .option('--between <mark...>', 'two marks: blocks allocated between them and live at the second, by call site')
    .option(
      '--assert <conditions...>',
      "such as 'peak<32MiB leaks=0', or for call sites 'site:parse* leaks=0'; exit code 1 if one does not hold",
    )
    .addOption(
      new Option('--temporary-within <n>', 'a block freed before n further allocations is temporary')
        .argParser(asCount)
        .default(1),
    )
    .action(async (trace: string, options: ReportOptions) => {
      process.exitCode = await reportOn(trace, options);
    });

  command('symbolize')
    .summary('write names, files and lines into a trace')
    .description(
      'Writes functions, files, lines and inlined calls into the call sites of a trace, as far as the module contains them. Give\n' +
        'the original module, from before heapglass instrument.',
    )
    .argument('<trace>')
    .argument('<module>', 'app.wasm')
    .option('-o, --output <file>', 'the file to write; default: the trace itself')
    .option('--source-map <file>', 'the source map; default: the one that the module names')
    .action((trace: string, module: string, options: SymbolizeOptions) => symbolize(trace, module, options));

  command('diff')
    .summary('compare two runs or builds by call site')
    .description(
      'Reports by call site what grew, what is new, what shrank and what is gone. Matches sites by the names of functions, so edited\n' +
        'lines do not matter. With further runs of each, only changes beyond the noise count.',
    )
    .argument('<a>', 'a trace: before')
    .argument('<b>', 'a trace: after')
    .option('--noise <trace...>', 'further runs of a and b, alternating: a2 b2 a3 b3')
    .option('--json', 'as JSON, described by dist/bin/diff_schema.json')
    .option('--html <file>', 'as one self-contained page')
    .option('--assert-no-growth', 'exit code 1 if something grew or is new')
    .action(async (a: string, b: string, options: DiffOptions) => {
      process.exitCode = await diff(a, b, options);
    });

  command('replay')
    .summary('compare the program on other allocators')
    .description(
      'Executes the malloc, free and realloc calls of a trace on other allocators, and reports time, memory over time, growths\n' +
        'and bytes of code. The program itself does not run.',
    )
    .argument('<trace>')
    .option('--on <allocators>', 'fast, small, hardened (heapglass), row-d, dlmalloc, emmalloc, mimalloc', 'all')
    .option('--from <allocator>', "the program's present allocator, the base of all ratios", 'dlmalloc')
    .addOption(
      new Option(
        '--rounds <n>',
        'the number of interleaved rounds (the result is their median); 0 measures only memory, which is exact',
      )
        .argParser(asRounds)
        .default(5),
    )
    .option('--advise', 'pools, reserves, growth in place and profiles that gain; each is tested by a replay')
    .option('--json', 'as JSON, described by dist/bin/replay_schema.json')
    .option('--html <file>', 'as one self-contained page with the curves of all allocators')
    .option('--trace <file>', "write the trace of heapglass's malloc for the same operations, for view and report")
    .action(async (trace: string, options: ReplayCommandOptions) => {
      const { replay } = await import('./replay.ts');
      await replay(trace, options);
    });

  command('convert')
    .summary('convert to and from formats of other tools')
    .description('Converts a trace to another format, or a file of another format to a trace.')
    .argument('<in>')
    .argument('<out>')
    .option('--from <format>', "if the input's name does not show it")
    .option('--to <format>', "if the output's name does not show it")
    .addHelpText('after', first === 'convert' ? await formatList() : '')
    .action((input: string, output: string, options: ConvertOptions) => convert(input, output, options));
  return program;
}

/** Errors come as ours and end by an exception, so that nothing is cut off. */
function told(command: Command): Command {
  const help = command.name() === 'heapglass' ? 'heapglass --help' : `heapglass ${command.name()} --help`;
  return command.exitOverride().configureOutput({
    outputError(text, write) {
      const ours = text.replace(/^error: (.)/, (_, letter: string) => `heapglass: ${letter.toUpperCase()}`);
      write(ours.includes('(Did you mean') ? ours : `${ours}(see ${help})\n`);
    },
  });
}

function asCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return value;
}

function asRounds(text: string): number {
  if (text === '0') return 0;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

function asPort(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return value;
}

function asDistance(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 2 ** 30)
    throw new InvalidArgumentError('It must be the bytes per sample, from 1 to 1073741824, such as 2097152.');
  return value;
}

function asKept(text: string): string {
  return text === 'all' ? text : String(asCount(text));
}
