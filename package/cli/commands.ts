// The commands, each with its words, options and what it runs, which is loaded when it is run.

import { Command, Option } from 'commander';
import { visible } from '../../web/src/base/visible.ts';
import type { AskOptions } from './ask.ts';
import type { ConvertOptions } from './convert.ts';
import type { DiffOptions } from './diff.ts';
import type { InstrumentCommand } from './instrument.ts';
import { asCount, asDistance, asKept, asNumber, asPort } from './option_values.ts';
import type { ReplayCommandOptions } from './replay.ts';
import type { ReportOptions } from './report.ts';
import type { RunOptions } from './run.ts';
import type { SymbolizeOptions } from './symbolize.ts';
import type { ViewOptions } from './view.ts';

const kCommands: Readonly<Record<string, (command: Command, more: string) => void>> = {
  run: runCommand,
  instrument: instrumentCommand,
  view: viewCommand,
  report: reportCommand,
  ask: askCommand,
  symbolize: symbolizeCommand,
  diff: diffCommand,
  replay: replayCommand,
  convert: convertCommand,
  doctor: doctorCommand,
};

/** first: the word that the user gave. A command is loaded when it runs: all of them take a quarter of a second. */
export async function commands(first: string): Promise<Command> {
  const program = heapglassCommand(new Command('heapglass')).enablePositionalOptions().helpCommand(false);
  const more = await moreHelp(first);
  for (const [name, describe] of Object.entries(kCommands))
    describe(heapglassCommand(program.command(name)).allowExcessArguments(false), more);
  return program;
}

/** What only this command's help has. */
async function moreHelp(first: string): Promise<string> {
  if (first === 'convert') return (await import('./convert.ts')).formatList();
  return first === 'ask' ? (await import('./ask.ts')).kAskHelp : '';
}

/** Errors come as ours and end by an exception, so that nothing is cut off. */
export function heapglassCommand(command: Command): Command {
  const help = command.name() === 'heapglass' ? 'heapglass --help' : `heapglass ${command.name()} --help`;
  return command.exitOverride().configureOutput({
    outputError(text, write) {
      const [, message = '', meant] = /^error: (.*?)(?:\n(\(Did you mean .*\)))?\n?$/s.exec(text) ?? [];
      write(`heapglass: ${visible(message.charAt(0).toUpperCase() + message.slice(1))}\n`);
      write(`${visible(meant ?? `(see ${help})`)}\n`);
    },
  });
}

function runCommand(command: Command): void {
  command
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
      const { runRecorded } = await import('./run.ts');
      process.exitCode = await runRecorded(script, args, options);
      if (options.symbols === undefined || process.exitCode !== 0) return;
      const { symbolize } = await import('./symbolize.ts');
      process.exitCode = await symbolize(options.output, options.symbols, {});
    });
}

function instrumentCommand(command: Command): void {
  command
    .summary('make a finished module record its heap')
    .description(
      'Changes a finished .wasm file so that it records its heap: finds the malloc family by name, wraps it, and changes nothing\n' +
        'else. Of a script (.js, .mjs, .cjs, .html) it changes the modules inside. Needs the package binaryen. If the names were minified, name the functions with the options.',
    )
    .argument('<wasm>')
    .option('-o, --output <file>', 'the instrumented module; default: the name with .hg before its end')
    .option('--glue <script>', "Emscripten's JavaScript beside the module, which names its minified exports")
    .option('--malloc <function>', 'an export, a function name, or an index')
    .option('--free <function>')
    .option('--calloc <function>')
    .option('--realloc <function>')
    .option('--memalign <function>', 'memalign or aligned_alloc')
    .option('--posix-memalign <function>')
    .option('--stacks', 'record the call stack of each allocation')
    .option('--callers', 'the same, and go on to the lines of JavaScript that called the module')
    .addOption(
      new Option(
        '--sample <bytes>',
        'record one allocation in so many bytes, with its call stack; cheap enough for production',
      )
        .argParser(asDistance)
        .conflicts(['stacks', 'callers']),
    )
    .action(async (input: string, options: InstrumentCommand) => {
      const { instrumentFile } = await import('./instrument.ts');
      await instrumentFile(input, options);
    });
}

function viewCommand(command: Command): void {
  command
    .summary('show recorded heaps in the browser')
    .description('Serves the page and the traces to the browsers of this machine, and prints the addresses.')
    .argument('<trace...>')
    .addOption(new Option('--port <number>', 'the port; default: a free one').argParser(asPort).default(0, 'free'))
    .option('--open', 'open the first trace in the browser')
    .action(async (traces: readonly string[], options: ViewOptions) => {
      const { view } = await import('./view.ts');
      await view(traces, options);
    });
}

function reportCommand(command: Command): void {
  command
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
      const { reportOn } = await import('./report.ts');
      process.exitCode = await reportOn(trace, options);
    });
}

function askCommand(command: Command, more: string): void {
  command
    .summary('ask a trace in words: who holds the memory, what leaked, why it grew, what fits, what pins a hole')
    .description(
      'Answers a question about a trace in one sentence, with file and line where the trace has call stacks. Without a question,\n' +
        'answers all five. Where the trace cannot say it, says what recording would.',
    )
    .usage('[options] ["question"] <trace>')
    .argument('<words...>', 'the question, and the trace behind it')
    .addOption(new Option('--at <event>', 'the moment; default: the end of the trace').argParser(asNumber))
    .addOption(new Option('--heap <n>', 'of this heap alone; default: all, or the first').argParser(asNumber))
    .option('--json', 'as JSON, described by dist/bin/answers_schema.json')
    .addHelpText('after', more)
    .action(async (words: readonly string[], options: AskOptions) => {
      const { ask } = await import('./ask.ts');
      process.exitCode = await ask(words, options);
    });
}

function symbolizeCommand(command: Command): void {
  command
    .summary('write names, files and lines into a trace')
    .description(
      'Writes functions, files, lines and inlined calls into the call sites of a trace, as far as the module contains them. Give\n' +
        'the original module, from before heapglass instrument.',
    )
    .argument('<trace>')
    .argument('<module>', 'app.wasm')
    .option('-o, --output <file>', 'the file to write; default: the trace itself')
    .option('--source-map <file>', 'the source map; default: the one that the module names')
    .action(async (trace: string, module: string, options: SymbolizeOptions) => {
      const { symbolize } = await import('./symbolize.ts');
      process.exitCode = await symbolize(trace, module, options);
    });
}

function diffCommand(command: Command): void {
  command
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
      const { diff } = await import('./diff.ts');
      process.exitCode = await diff(a, b, options);
    });
}

function replayCommand(command: Command): void {
  command
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
        .argParser(asNumber)
        .default(5),
    )
    .option('--advise', 'pools, reserves, growth in place and profiles that gain; each is tested by a replay')
    .option('--json', 'as JSON, described by dist/bin/replay_schema.json')
    .option('--html <file>', 'as one self-contained page with the curves of all allocators')
    .option('--trace <file>', "write the trace of heapglass's malloc for the same operations, for view and report")
    .action(async (trace: string, options: ReplayCommandOptions) => {
      const { replay } = await import('./replay.ts');
      process.exitCode = await replay(trace, options);
    });
}

function doctorCommand(command: Command): void {
  command
    .summary('say what of a setup does not fit')
    .description(
      'Looks at Node, the compiler, the packages beside heapglass and, if they are given, finished modules: whether they can be\n' +
        'recorded, by which names, and what call sites will have. Writes nothing. Exit code 1 if a command would fail.',
    )
    .argument('[wasm...]', 'finished modules')
    .action(async (modules: readonly string[]) => {
      const { doctor } = await import('./doctor.ts');
      process.exitCode = await doctor(modules);
    });
}

function convertCommand(command: Command, more: string): void {
  command
    .summary('convert to and from formats of other tools')
    .description('Converts a trace to another format, or a file of another format to a trace.')
    .argument('<in>')
    .argument('<out>')
    .option('--from <format>', "if the input's name does not show it")
    .option('--to <format>', "if the output's name does not show it")
    .addHelpText('after', more)
    .action(async (input: string, output: string, options: ConvertOptions) => {
      const { convert } = await import('./convert.ts');
      process.exitCode = await convert(input, output, options);
    });
}
