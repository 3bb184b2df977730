// docs/experiments.md read back: the tables of each experiment.

/**
 * @param {string} text
 * @returns {Map<string, { title: string, head: string[], rows: Record<string, string>[] }[]>} by experiment, "AE1"
 */
export function parseDocument(text) {
  const sections = new Map();
  let tables;
  let title = '';
  let head;
  for (const line of text.split('\n')) {
    const section = /^## ([A-E]E\d)\./.exec(line);
    if (line.startsWith('## ')) tables = undefined; // another section: "In one table"
    if (section !== null) {
      tables = [];
      sections.set(section[1], tables);
    }
    title = /^\*\*(.*)\*\*$/.exec(line)?.[1] ?? title;
    if (tables === undefined || !line.startsWith('| ')) {
      head = undefined;
      continue;
    }
    const cells = line.slice(2, -2).split(/ ?\| ?/);
    if (head === undefined) {
      head = cells.map((cell) => cell.replace(/ \(document\)$/, ''));
      tables.push({ title, head, rows: [] });
    } else if (!cells[0].startsWith('---')) {
      tables.at(-1).rows.push(Object.fromEntries(head.map((name, index) => [name, cells[index]])));
    }
  }
  return sections;
}
