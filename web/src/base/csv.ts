// Comma-separated values (RFC 4180): names in the first line, one row a line.

export type CsvCell = string | number | undefined;

export const csvText = (names: readonly string[], rows: Iterable<readonly CsvCell[]>): string =>
  [names, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('');

const quoted = (cell: CsvCell): string => {
  const text = cell === undefined ? '' : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** An address as tables have them: all of them equally long, so that they sort as text. */
export const hexAddress = (address: number): string => `0x${address.toString(16).padStart(8, '0')}`;
