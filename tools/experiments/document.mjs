// docs/experiments.md from reports.

const kSources = [
  'The documents:',
  '',
  '- A: Ion Gaztañaga, *Applying classic memory allocation strategies to C++ containers* (v0.1)',
  '- B: Arthur D. Applegate, *Rethinking Memory Management*, Dr. Dobb’s Journal, June 1994',
  '- C: Valery Grebnev, *Testing distributed memory pools*, The Code Project, 2009',
  '- D: alextretyak, *ltalloc*, the project’s wiki on Google Code, 2013',
  '- E: Kurt Guntheroth, *Optimized C++*, O’Reilly 2016, chapter 13, “Optimize Memory Management”',
];

/** The text of the document. `measured`: [{ report }] in the order of the ids. */
export function documentOf(measured, { machine, rounds, divisor, failed }) {
  const { date, cores, where, emcc } = machine;
  const parts = [
    '# Experiments',
    [
      'The measurements of five documents, repeated in WebAssembly. `npm run experiments -- --write docs` writes this file.',
      "The document's figure stands in parentheses. Where ours differs by more than a quarter, a sentence below the tables",
      'says so, with the reason where it is known. Counts and bytes repeat exactly: `tests/experiments/document.test.ts` compares',
      'this file with a run. Times are from one machine; ± is half the spread of the rounds. Before each row the engine collects',
      'the memory of earlier rows. Otherwise it returns that memory to the system beside a later row, and each growth of memory',
      'there waits for it: `npm run experiments -- BE1 --keep-garbage`.',
    ].join('\n'),
    kSources.join('\n'),
    `${date}; ${cores} shared cores, ${where}, emcc ${emcc}; medians of ${rounds} rounds${
      divisor > 1 ? `, the work divided by ${divisor}` : ''
    }.`,
    ...measured.map(({ report }) => section(report)),
    ...Object.entries(failed).map(([id, message]) => `## ${id}\n\nDid not run: ${message}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section({ id, title, question, tables, findings }) {
  const parts = [`## ${id}. ${title}`, question, ...tables.map(table)];
  if (findings.length > 0) parts.push(findings.map((finding) => `- ${finding}`).join('\n'));
  return parts.join('\n\n');
}

function table({ title, head, rows }) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const ruler = line(head.map((_, index) => (index === 0 ? '---' : '---:')));
  return [`**${title}**`, '', line(head), ruler, ...rows.map(line)].join('\n');
}
