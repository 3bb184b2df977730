// The process that outlives heapglass run where that is killed: it ends the program, and packs its traces.
//
//   node run_watch.mjs <program's process> <output> <files before, as JSON>          its standard input is a pipe that only run holds

import { type FileThen, writtenSince } from './run_traces.ts';

const kPollMs = 5;
const [pid = '', output = '', before = '[]'] = process.argv.slice(2);
const program = Number(pid);

function signalProgram(signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(program, signal);
  } catch {
    return false; // it has ended
  }
}

process.stdin
  .on('end', async () => {
    signalProgram('SIGKILL');
    while (signalProgram(0)) await new Promise((resolve) => setTimeout(resolve, kPollMs));
    const { packTrace } = await import('./pack_trace.ts'); // seldom: whoever runs a program should not wait for it
    for (const [path, stats] of writtenSince(JSON.parse(before) as readonly FileThen[], output))
      if (stats.isFile() && stats.size > 0n) packTrace(path);
  })
  .resume();
