// What the tests say of one mutant.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kRacePrograms } from './core_build.mjs';
import { Order } from './core_order.mjs';
import { mutatedText } from './core_sample.mjs';

const kVariants = ['release', 'trace', 'checked', 'threads', 'threads_trace', 'threads_hardened', 'hardened'];
const kEquivalent = JSON.parse(readFileSync(new URL('core_equivalent.json', import.meta.url), 'utf8'));
const isEquivalent = ({ file, from, to }) =>
  kEquivalent.some((known) => known.file === file && known.from === from.trim() && known.to === to.trim());
const secondsAllowed = (seconds) => 4 * seconds + 10; // mutate.M4

/** The others have not judged it yet. */
export const kSurvivedNear = 'survived near';
/** It changes none of the programs that were asked. */
const kEqualNear = 'equal near';
/** It changes a program that has not run without a mutant yet. */
const kUnproven = 'unproven';

const near = (order) => order.filter(({ near }) => near > 0).map(({ name }) => name);
const far = (order) => order.filter(({ near }) => near === 0).map(({ name }) => name);

export class Judge {
  /** `nearest`: so many of the near programs are asked, and no others; undefined: all of them. */
  constructor(build, nearest) {
    this.build = build;
    this.nearest = nearest;
    this.order = new Order(build.tree, build.programs(), build.coreFiles());
    this.proven = new Map(); // by name: the seconds that the program takes without a mutant
    this.fingerprints = new Map(); // by name: of the program without a mutant
  }

  /** pre: no mutant is planted */
  async built(names) {
    const others = names.filter((name) => !this.fingerprints.has(name));
    if (others.length === 0) return;
    if (!(await this.build.builds(...others))) throw new Error(`no build: see ${this.build.work}/build.log`);
    for (const name of others) this.fingerprints.set(name, this.build.fingerprint(name));
  }

  /** mutate.M1. Builds and measures those that were not yet.  pre: no mutant is planted */
  async prove(names) {
    const others = names.filter((name) => !this.proven.has(name));
    if (others.length === 0) return;
    console.log(`without a mutant: ${others.join(' ')}`);
    await this.built(others);
    await this.build.builds(...others); // a mutant was in them perhaps
    for (const name of others) {
      const { passed, seconds } = await this.build.runs(name);
      if (!passed) throw new Error(`${name} fails without a mutant: see ${this.build.work}/run.log`);
      this.proven.set(name, seconds);
    }
  }

  /** What the near programs say: {outcome, by: the program and the test that killed it, nearest: the nearest test's file}. */
  async judgeNear(mutant) {
    const order = this.order.of(mutant.file);
    const nearest = order[0].test;
    if (isEquivalent(mutant)) return { outcome: 'equivalent', nearest }; // mutate.M3
    let result = await this.judgeBy(near(order).slice(0, this.nearest), mutant);
    if (result.outcome === 'equal' && this.nearest !== undefined) return { outcome: kEqualNear, nearest };
    if (result.outcome === 'equal') result = await this.judgeByFirstChanged(order, mutant);
    const lives = result.outcome === 'survived' || result.outcome === 'equal'; // equal: in the builds of these programs
    return { ...result, outcome: lives ? kSurvivedNear : result.outcome, nearest };
  }

  /** mutate.M5. */
  async judgeByFirstChanged(order, mutant) {
    const seen = new Set(order.filter(({ near }) => near > 0).map(({ variant }) => variant));
    for (const { variant } of order) {
      if (seen.has(variant)) continue;
      seen.add(variant);
      const [first, ...others] = order.filter((program) => program.variant === variant).map(({ name }) => name);
      const result = await this.judgeBy([first], mutant);
      if (result.outcome === 'survived') return await this.judgeBy([first, ...others], mutant);
      if (result.outcome !== 'equal') return result;
    }
    return { outcome: 'equal' };
  }

  /** What the other programs say of one that survived the near ones, the quickest first; those with threads under ThreadSanitizer too. */
  async judgeFar(mutant) {
    const order = this.order.of(mutant.file);
    const names = [...far(order), ...kRacePrograms];
    await this.prove(names);
    const quickest = names.sort((a, b) => this.proven.get(a) - this.proven.get(b));
    const found = await this.judgeBy(quickest, mutant);
    const { outcome } = found;
    if (outcome !== 'survived' && outcome !== 'equal') return found;
    return { outcome: (await this.isEqual(mutant, near(order))) ? 'equal' : 'survived' };
  }

  /** A program is built when its turn comes, since most mutants fall to the first; and proved when a mutant first changes it. */
  async judgeBy(names, mutant) {
    let changed = false;
    for (const name of names) {
      await this.built([name]);
      let result = await this.planted(mutant, () => this.runOne(name));
      if (result.outcome === kUnproven) {
        await this.prove([name]);
        result = await this.planted(mutant, () => this.runOne(name));
      }
      if (result.outcome === 'equal') continue;
      if (result.outcome !== 'survived') return result;
      changed = true;
    }
    return { outcome: changed ? 'survived' : 'equal' };
  }

  async planted(mutant, work) {
    const path = join(this.build.tree, mutant.file);
    const right = readFileSync(path, 'utf8');
    writeFileSync(path, mutatedText(right, mutant));
    try {
      return await work();
    } finally {
      writeFileSync(path, right);
    }
  }

  /** With the mutant. */
  async runOne(name) {
    if (!(await this.build.builds(name))) return { outcome: 'no build', by: name };
    if (this.build.fingerprint(name) === this.fingerprints.get(name)) return { outcome: 'equal' };
    if (!this.proven.has(name)) return { outcome: kUnproven };
    const { passed, timedOut, test } = await this.build.runs(name, secondsAllowed(this.proven.get(name)));
    if (passed) return { outcome: 'survived' };
    return { outcome: timedOut ? 'out of time' : 'killed', by: `${name} ${test ?? ''}` };
  }

  /** mutate.M2. Of the library in every variant, and of the near tests: code of headers is in theirs. The objects of the original
   *  are built first, so that only what the mutant changes is compiled twice. */
  async isEqual(mutant, nearNames) {
    const targets = [...kVariants.map((variant) => `heapglass_core_${variant}`), ...nearNames];
    if (!(await this.build.objectsBuilt(targets))) throw new Error(`no build: see ${this.build.work}/equal.log`);
    const before = this.build.objects(targets);
    return await this.planted(mutant, async () => {
      if (!(await this.build.objectsBuilt(targets))) return false;
      const now = this.build.objects(targets);
      return [...before].every(([object, hash]) => now.get(object) === hash);
    });
  }
}
