// The process in which run.mjs runs a target: the seeds of its corpus, then new ones until the time is over. It says before each case
// which one, and behind it what kind of answer there was.

import { commandTarget } from './command_target.ts';
import { httpTarget } from './http_target.ts';
import { instrumentTarget } from './instrument_target.ts';
import type { Target } from './target.ts';
import { wireTarget } from './wire_target.ts';

const [name = '', first = '0', seconds = '0', golden = '', fuzzer = '', ...known] = process.argv.slice(2);

async function made(): Promise<Target> {
  if (name === 'instrument') return instrumentTarget(fuzzer);
  if (name === 'http') return await httpTarget();
  return name === 'wire' ? wireTarget() : commandTarget(name, golden);
}

const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack ?? error.message}${error.cause === undefined ? '' : `\n${textOf(error.cause)}`}`;
};

const target = await made();
process.on('exit', () => target.dispose());
const end = performance.now() + Number(seconds) * 1000;

async function runOne(seed: number): Promise<void> {
  process.send?.({ seed });
  try {
    process.send?.({ seed, kind: await target.run(seed) });
  } catch (error) {
    process.send?.({ seed, wrong: textOf(error) });
  }
}
for (const seed of known) await runOne(Number(seed));
for (let seed = Number(first); performance.now() < end; ++seed) await runOne(seed);
process.exit(0);
