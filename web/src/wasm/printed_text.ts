// What a watched program printed, as parts that a page can show: lines, tables, errors (programs/watched/watched_program.h).
//
//   P1  There is a limit of lines, rows and characters; what comes beyond it is counted and left out. Errors are always taken.

import type { Printed, PrintedPart } from '../protocol/messages.ts';

/** PROGRAM_LINE ... */
const Kind = { line: 0, error: 1, column: 2, cell: 3, nullCell: 4, rowEnd: 5 } as const;

const kMostParts = 500; // lines and rows
const kMostCharacters = 200_000;
const kMostOfACell = 300;

interface Table {
  readonly kind: 'table';
  readonly columns: string[];
  readonly rows: (readonly (string | undefined)[])[];
}

export class PrintedText {
  #parts: PrintedPart[] = [];
  #table: Table | undefined;
  #row: (string | undefined)[] = [];
  #taken = 0; // lines and rows
  #characters = 0;
  #more = 0;

  clear(): void {
    this.#parts = [];
    this.#table = undefined;
    this.#row = [];
    this.#taken = this.#characters = this.#more = 0;
  }

  take(kind: number, text: string): void {
    switch (kind) {
      case Kind.column:
        // A column behind rows, or behind anything else, begins another table.
        if (this.#table === undefined || this.#table.rows.length > 0) this.#beginTable();
        this.#table?.columns.push(text);
        return;
      case Kind.cell:
      case Kind.nullCell:
        this.#row.push(kind === Kind.cell ? shortened(text) : undefined);
        return;
      case Kind.rowEnd:
        if (this.#fits(this.#row.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)))
          this.#table?.rows.push(this.#row);
        this.#row = [];
        return;
      case Kind.line:
        this.#table = undefined;
        if (this.#fits(text.length)) this.#parts.push({ kind: 'line', text });
        return;
      default:
        this.#table = undefined;
        this.#parts.push({ kind: 'error', text });
    }
  }

  get printed(): Printed {
    return { parts: this.#parts, more: this.#more };
  }

  /** P1 */
  #fits(characters: number): boolean {
    if (this.#taken >= kMostParts || this.#characters + characters > kMostCharacters) {
      this.#more++;
      return false;
    }
    this.#taken++;
    this.#characters += characters;
    return true;
  }

  #beginTable(): void {
    this.#table = { kind: 'table', columns: [], rows: [] };
    this.#parts.push(this.#table);
  }
}

const shortened = (text: string) => (text.length <= kMostOfACell ? text : `${text.slice(0, kMostOfACell)}…`);
