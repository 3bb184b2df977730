// npm run bench:curve - the memory of a tab over time, in headless Chromium and in Firefox: a page holds 600 MB, keeps 20 of them in pieces
// all over the memory, and shrinks, or does not. Resident megabytes of the process, read from /proc each half second (Linux); as the table of
// docs/shrink.md.
//
//   --json file

import { fixed, printTable, writeJson } from '../harness/report.mjs';
import { prepareScene } from './files.mjs';
import { openFirefox } from './firefox.mjs';
import { openChromium } from './hosts.mjs';

const kHeld = 600_000_000;
const kKeepOf = 30; // one block in so many stays
const kStep = 0.5; // seconds
const kEnd = 9;
const kSteps = [
  [1, 'holds 600 MB', (host) => host.call('hold', kHeld)],
  [3, 'frees 580 MB', (host) => host.call('keep', true, kKeepOf)],
  [5, 'shrinks', (host) => host.call('shrink')],
];

/** Megabytes at each half second. */
async function curve(open, files, shrinks) {
  const host = await open(files);
  if (host === undefined) return undefined;
  try {
    await host.start('linked');
    await host.resident(); // it has started, and nothing falls any more
    const megabytes = [];
    const steps = kSteps.filter(([, name]) => shrinks || name !== 'shrinks');
    const acts = [];
    const begin = performance.now();
    for (let at = 0; at <= kEnd; at += kStep) {
      await new Promise((done) => setTimeout(done, Math.max(0, begin + at * 1000 - performance.now())));
      megabytes.push(await host.residentNow());
      const step = steps.find(([second]) => second === at);
      if (step !== undefined) acts.push(step[2](host)); // it takes its time, and the clock goes on
    }
    await Promise.all(acts);
    if (!(await host.call('proves'))) throw new Error(`${host.name}: what was kept is not what it was`);
    return { name: host.name, megabytes };
  } finally {
    await host.close();
  }
}

const files = prepareScene();
const curves = [];
for (const open of [openChromium, openFirefox]) {
  for (const shrinks of [true, false]) {
    const found = await curve(open, files, shrinks);
    if (found === undefined) console.log('a browser is not here: two columns are left out');
    else curves.push({ ...found, name: shrinks ? found.name : `${found.name}, no shrink` });
  }
}
const seconds = Array.from({ length: kEnd / kStep + 1 }, (_, i) => i * kStep);
const whatAt = (second) => kSteps.find(([at]) => at === second)?.[1] ?? '';
printTable(
  'Resident memory of the process, MB',
  ['second', 'the page', ...curves.map(({ name }) => name)],
  seconds.map((second, i) => [
    fixed(second, 1),
    whatAt(second),
    ...curves.map(({ megabytes }) => fixed(megabytes[i], 0)),
  ]),
);
writeJson({ bench: 'curve', seconds, curves });
