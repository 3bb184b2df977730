// What a test and a recorded page know of each other.

export interface RecordedPage {
  /** Events of each module, in the order in which they were instantiated. Later, where source maps are still read for them. */
  counts(): Promise<readonly number[]>;
  mark(text: string): void;
  /** A part of a module's trace file, from this byte on, as base64; empty behind its end. */
  part(nth: number, from: number): string;
}

/** A name that no page has. */
export const kRecordedPage = '__heapglass_recorded_page';

export type Recording = { readonly [kRecordedPage]: RecordedPage };
