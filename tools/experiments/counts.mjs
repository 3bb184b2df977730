// Which cells of an experiment's tables are counts and bytes. Every run must give them again; times, speeds, and what threads
// do to each other differ from run to run.

const kVaries =
  /^(speed|ms|µs|ns|insertion|into used memory|erasure|search|deletion|overall|all|million pairs|a thread|contention|pops|\d[\d,]* operations)\b|iterations$/;

const kOther = 'malloc'; // the compiler's own: its counts are those of its version

/**
 * @param {readonly { title: string, head: readonly string[], rows: readonly (readonly string[])[] }[]} tables
 * @returns {{ table: number, row: number, name: string, cell: string, place: string }[]}
 */
export const countCells = (tables) =>
  tables.flatMap(({ title, head, rows }, table) =>
    rows.flatMap((cells, row) =>
      cells.flatMap((cell, column) => {
        const name = (head[column] ?? '').replace(/ \(document\)$/, '');
        if (cells[0] === kOther || cell === '' || kVaries.test(name)) return [];
        return [{ table, row, name, cell, place: `${title}, row ${row + 1}, ${name}` }];
      }),
    ),
  );

/** Counts of two runs of one experiment that differ, in words. */
export function differingCounts(first, second) {
  const [a, b] = [countCells(first), countCells(second)];
  if (a.length !== b.length) return [`${a.length} counts in the first run, ${b.length} in the second`];
  return a.flatMap(({ place, cell }, at) =>
    cell === b[at].cell ? [] : [`${place}: ${cell} in the first run, ${b[at].cell} in the second`],
  );
}
