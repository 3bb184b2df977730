// Where the processor time of a suite goes: a reporter for Vitest and for Playwright, which must then have one worker.
//
//   npx vitest run --project='!native' --maxWorkers=1 --reporter=./tools/processor_time.mjs
//   npx playwright test --project=e2e --workers=1 --reporter=./tools/processor_time.mjs
//
// It prints the files from the one that takes most to the one that takes least, each with its longest tests, and the sum. Unlike the
// clock, processor time says the same beside other work, within a tenth or two.
//
//   time.1  A test takes what the suite's process and all its descendants (browsers, compilers, servers) used since the test before
//           ended: nothing is counted twice, and nothing that a process tree knows is left out. Linux only: it reads /proc.

import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const kTicksPerSecond = 100; // USER_HZ, which Linux promises to programs
const kTestsNamed = Number(process.env.HG_NAMED ?? 3);
const kLeastSeconds = 1;

/** The seconds that `root` and its descendants have used, with those that ended and were waited for. */
export function processorSeconds(root = process.pid) {
  const parents = new Map();
  const ticks = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = fieldsOf(name);
    if (fields === undefined) continue;
    parents.set(Number(name), Number(fields[1]));
    ticks.set(
      Number(name),
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    );
  }
  const isInside = (id) => id === root || (parents.has(id) && isInside(parents.get(id)));
  let sum = 0;
  for (const [id, used] of ticks) if (isInside(id)) sum += used;
  return sum / kTicksPerSecond;
}

/** The seconds that children of this process have used, with theirs, once each was waited for; undefined where there is no /proc. */
export function endedSeconds() {
  const fields = fieldsOf(process.pid);
  return fields === undefined ? undefined : (Number(fields[13]) + Number(fields[14])) / kTicksPerSecond;
}

/** What follows the name in /proc/N/stat: state, parent, … ; undefined: the process ended meanwhile. */
function fieldsOf(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

export default class ProcessorTime {
  before = 0;
  files = new Map();

  /** Vitest. */
  onTestCaseResult(test) {
    this.take(test.module.moduleId, test.fullName);
  }

  onTestModuleEnd(module) {
    this.take(module.moduleId, '(the end of the file)');
    console.log(this.linesOf(module.moduleId).join('\n')); // a run that is interrupted has shown what it knows
  }

  onTestRunEnd() {
    this.print();
  }

  /** Playwright. */
  onTestEnd(test) {
    this.take(test.location.file, test.title);
  }

  onEnd() {
    this.print();
  }

  /** time.1 */
  take(file, test) {
    const now = processorSeconds();
    const tests = this.files.get(file) ?? [];
    this.files.set(file, tests);
    tests.push({ test, seconds: Math.max(0, now - this.before) });
    this.before = now; // less than before where what ended was not waited for
  }

  print() {
    const files = [...this.files.keys()].sort((a, b) => this.secondsOf(b) - this.secondsOf(a));
    for (const file of files) console.log(this.linesOf(file).join('\n'));
    console.log(`${shown(files.reduce((sum, file) => sum + this.secondsOf(file), 0))}  all`);
  }

  secondsOf(file) {
    return this.files.get(file).reduce((sum, { seconds }) => sum + seconds, 0);
  }

  /** A file, and its longest tests. */
  linesOf(file) {
    const tests = this.files.get(file);
    const longest = tests.filter((test) => test.seconds >= kLeastSeconds).sort((a, b) => b.seconds - a.seconds);
    return [
      `${shown(this.secondsOf(file))}  ${relative(process.cwd(), file)} (${tests.length})`,
      ...longest.slice(0, kTestsNamed).map(({ seconds, test }) => `${' '.repeat(9)}${shown(seconds)}  ${test}`),
    ];
  }
}

const shown = (seconds) => seconds.toFixed(1).padStart(7);
