// What a command has to say, described once: render_text.ts writes it for a terminal, render_html.ts as a page, and its data is the
// JSON. A renderer knows no content, a document no format.
//
//   DM1  A figure, a cell of a table and a histogram's bucket are numbers with a unit, or words.
//   DM2  A table brings all of its rows; a renderer shows as many as are read there, and `rest` says what it leaves out.
//   DM3  What is folded away is for a page only, as a plot is, and what a switch shows in place of something.

export interface Document {
  /** The command that makes it: 'report'. */
  readonly command: string;
  /** What it is: 'Heap report'. */
  readonly kind: string;
  /** What it is about: a file's name; title: '' when it has none. */
  readonly name: string;
  readonly title: string;
  /** What the reader must know before any figure. */
  readonly notices: readonly string[];
  /** What was read, and how: the line below a page's title. */
  readonly about: readonly Figure[];
  readonly figures: readonly Figure[];
  /** One sentence; '' when none. */
  readonly summary: string;
  readonly sections: readonly Section[];
  /** The same for programs, described by a schema. */
  readonly data: object;
}

export type Unit = 'words' | 'count' | 'bytes' | 'share' | 'ratio' | 'ms';

/** Words are shown as they are, whatever the unit. */
export type Value = number | string;

export interface Figure {
  readonly label: string;
  readonly value: Value;
  readonly unit: Unit;
  readonly note: string;
}

/** Without blocks it is left out. */
export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly is: 'paragraph'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly string[]; readonly ordered: boolean }
  | Table
  | Comparison
  | Histogram
  | Plot
  | Groups
  | { readonly is: 'switch'; readonly label: string; readonly note: string } // of all that is either one or the other
  | { readonly is: 'either'; readonly short: Block; readonly whole: Block } // short, unless a page's switch is on
  | { readonly is: 'pair'; readonly tables: readonly [Table, Table] } // side by side where there is space
  | { readonly is: 'folded'; readonly summary: string; readonly blocks: readonly Block[] };

export interface Column {
  readonly name: string;
  readonly unit: Unit;
}

/** Without rows it has nothing to say. */
export interface Table {
  readonly is: 'table';
  /** '' below a heading that says it. */
  readonly title: string;
  /** What a screen reader calls it; the title when not given. One without a title has one. */
  readonly label?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** Rows that a page shows. */
  readonly most: number;
  /** Which of them are shown. */
  readonly from: 'first' | 'last';
  readonly isSortable: boolean;
  /** In words, beside so many rows; '' when nothing is left out. */
  readonly rest: (shown: number) => string;
}

/** Figures before and after. */
export interface Comparison {
  readonly is: 'comparison';
  readonly label: string;
  readonly changes: readonly {
    readonly what: string;
    readonly unit: Unit;
    readonly before: number;
    readonly after: number;
    /** By how much repeats differ; 0 when there are none. */
    readonly noise: number;
  }[];
}

/** Whole numbers from `from` up to and including `to`. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly allocations: number;
  readonly bytes: number;
}

export interface Histogram {
  readonly is: 'histogram';
  /** What the buckets are of. */
  readonly of: string;
  readonly unit: Unit;
  readonly buckets: readonly Bucket[];
}

export interface Plot {
  readonly is: 'plot';
  /** The page's script draws into it by its name. */
  readonly name: string;
  /** For who cannot see it. */
  readonly label: string;
  /** Words that the picture needs; '' when none. */
  readonly note: string;
  /** A picture that is drawn already, as SVG, and the lines in it. */
  readonly svg?: string;
  readonly legend?: readonly Line[];
}

/** A line of a plot; its colour in the sheet is --curve-name. */
export interface Line {
  readonly name: string;
  readonly light: string;
  readonly dark: string;
}

/** Parts with a heading each; `rest` as of a table. */
export interface Groups {
  readonly is: 'groups';
  readonly list: readonly Section[];
  readonly rest: (shown: number) => string;
}

/** Figures, by what their numbers are. */
export const figures = {
  count: figureOf('count'),
  bytes: figureOf('bytes'),
  share: figureOf('share'),
  words: figureOf('words'),
} as const;

function figureOf(unit: Unit) {
  return (label: string, value: Value, ...notes: readonly string[]): Figure => ({
    label,
    value,
    unit,
    note: notes.filter((note) => note !== '').join(', '),
  });
}

export const section = (title: string, ...blocks: readonly Block[]): Section => ({ title, blocks });
export const paragraph = (text: string): Block => ({ is: 'paragraph', text });

export const list = (items: readonly string[], ordered = false): Block => ({ is: 'list', items, ordered });
export const pair = (...tables: [Table, Table]): Block => ({ is: 'pair', tables });
export const plot = (name: string, label: string, note = ''): Block => ({ is: 'plot', name, label, note });

/** A column: its name, and the key of its value or what makes its words. A number's unit is its key's last word; other words: a count. */
export type ColumnOf<Row> = readonly [name: string, of: (keyof Row & string) | ((row: Row) => Value), unit?: Unit];

export function table<Row extends object>(
  title: string,
  rows: readonly Row[],
  columns: readonly ColumnOf<Row>[],
  options: Partial<Pick<Table, 'label' | 'most' | 'from' | 'isSortable' | 'rest'>> = {},
): Table {
  return {
    is: 'table',
    title,
    columns: columns.map(([name, of, unit]) => ({
      name,
      unit: unit ?? (typeof of === 'string' ? unitOf(of) : 'words'),
    })),
    rows: rows.map((row) => columns.map(([, of]) => (typeof of === 'string' ? (row[of] as Value) : of(row)))),
    most: 12,
    from: 'first',
    isSortable: false,
    rest: () => '',
    ...options,
  };
}

function unitOf(key: string): Unit {
  const last = key.slice(key.lastIndexOf('_') + 1);
  return last === 'bytes' || last === 'share' || last === 'ratio' || last === 'ms' ? last : 'count';
}

export function shownRows({ rows, from }: Table, most: number): Table['rows'] {
  return from === 'first' ? rows.slice(0, most) : rows.slice(-most);
}
