// What a run over mutants of the core prints at its end.

import { folderOf } from './core_order.mjs';

/** Outcomes: killed, out of time (killed, too), survived, survived near (the others were not asked), equal (the same object code),
 *  equal near (the others were not asked), equivalent (by the list), no build. */
function scoreOf(results) {
  const count = (...outcomes) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const killed = count('killed', 'out of time');
  const judged = killed + count('survived', 'survived near');
  return {
    killed,
    outOfTime: count('out of time'),
    survived: count('survived', 'survived near'),
    equal: count('equal', 'equal near'),
    equivalent: count('equivalent'),
    noBuild: count('no build'),
    score: judged === 0 ? '-' : `${((100 * killed) / judged).toFixed(1)} %`,
  };
}

export function describeMutant({ file, line, from, to }) {
  const added = to.startsWith(`${from}\n`) ? ` + ${to.slice(from.length).trim()}` : undefined;
  return `${file}:${line}\n      ${from.trim()}\n   -> ${added === undefined ? to.trim().replaceAll('\n', ' ') : from.trim() + added}`;
}

export function printReport(results) {
  const folders = new Map();
  for (const result of results) {
    const folder = folderOf(result.file);
    folders.set(folder, [...(folders.get(folder) ?? []), result]);
  }
  const survivors = results.filter(({ outcome }) => outcome.startsWith('survived'));
  if (survivors.length > 0) console.log('\nSurvivors, each with the test nearest to it:\n');
  for (const survivor of survivors) console.log(`${describeMutant(survivor)}\n      ${survivor.nearest}\n`);
  const row = (name, list) => {
    const { killed, outOfTime, survived, equal, equivalent, noBuild, score } = scoreOf(list);
    return {
      folder: name,
      killed,
      'by time': outOfTime,
      survived,
      score,
      'equal code': equal,
      equivalent,
      'no build': noBuild,
    };
  };
  const table = [...folders].sort(([a], [b]) => a.localeCompare(b)).map(([folder, list]) => row(folder, list));
  console.table([...table, row('all', results)]);
}
