// docs/experiments.md from reports.

/** The text of the document. `measured`: [{ report }] in the order of the ids. */
export function documentOf(measured, { machine, rounds, divisor, failed }) {
  const { date, cores, where, emcc } = machine;
  const parts = [
    '# Experiments',
    [
      'The measurements of the five source documents, made again in WebAssembly, by `npm run experiments -- --write docs`.',
      "Ours stand beside the document's; where they differ, the finding says so, and why as far as that is known. Counts",
      'repeat exactly from run to run and are asserted by `tests/experiments`; times are those of one machine.',
    ].join('\n'),
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
