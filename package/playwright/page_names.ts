// What a test and a recorded page know of each other.

export interface RecordedPage {
  /** What has been sent to the test so far. Later, where source maps are still read for it. */
  sent(): Promise<Sent>;
  mark(text: string): Promise<void>;
}

export interface Sent {
  /** When the document began: a number that no other document of the page has. */
  readonly document: number;
  /** Events of each module, in the order in which they were instantiated. */
  readonly counts: readonly number[];
  /** Why a worker is not recorded, a sentence each. */
  readonly problems: readonly string[];
}

/** Events of one module on their way to the test, as base64: a message is a text. */
export interface SentEvents {
  readonly document: number;
  readonly module: number;
  readonly records: string;
}

/** A module that is about to be compiled; bytes as base64. */
export interface Compiled {
  readonly bytes: string;
  /** Where the page had it from. */
  readonly address?: string;
  /** Addresses of the scripts that compile it. */
  readonly scripts: readonly string[];
}

/** Names that no page has. */
export const kRecordedPage = '__heapglass_recorded_page';
export const kTakeEvents = '__heapglass_take_events'; // the test's functions
export const kRecordModule = '__heapglass_record_module';

/** The path by which a page that cannot wait asks the same: Compiled as JSON. Where the page has no server, on one that there is not. */
export const kRecordPath = '/__heapglass_record_module';
/** There it also has an empty script. */
export const kEmptyPath = '/__heapglass_empty.js';
export const kNoServer = 'https://heapglass.invalid';

export type Recording = {
  readonly [kRecordedPage]: RecordedPage;
  readonly [kTakeEvents]: (events: SentEvents) => Promise<void>;
  /** Its recorded form as base64; none: it stays as it is. */
  readonly [kRecordModule]: (module: Compiled) => Promise<string | undefined>;
};
