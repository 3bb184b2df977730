// Which steps of npm test have passed with what: a step whose inputs are the same is not run again on a developer's machine. CI runs all.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash_of.mjs';
import { results } from './test_steps.mjs';

const folder = join(results, 'passed');
const fileOf = (name) => join(folder, `${name}.json`);

/** What decides about a step: its inputs, its commands and its settings. undefined: it is run each time. */
export function keyOf({ inputs, commands, environment }) {
  return inputs && `${hashOf(inputs)} ${JSON.stringify([commands, environment])}`;
}

/** The counts of the run in which the step passed with this key; undefined: there is none, or this is CI. */
export function passedBefore(name, key) {
  if (process.env.CI !== undefined || key === undefined || !existsSync(fileOf(name))) return undefined;
  const passed = JSON.parse(readFileSync(fileOf(name), 'utf8'));
  return passed.key === key ? passed.counts : undefined;
}

/** Forgets a step that failed. */
export function rememberPassed(name, key, counts) {
  if (key === undefined) return;
  if (counts.failed > 0) return rmSync(fileOf(name), { force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), JSON.stringify({ key, counts }));
}
