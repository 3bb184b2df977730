// Why something cannot be attached, in one sentence that says what to do.

import { kTraceVersion } from '../protocol/event_layout.ts';

/**
 * Why an AttachError was thrown.
 * - `no_recorder`: the target records no events; the message says how to link it.
 * - `other_version`: the program writes events of a version that this package does not read.
 * - `no_page`: there is no page to show the heap in, as in a worker.
 */
export type AttachErrorCode = 'no_recorder' | 'other_version' | 'no_page';

/** Thrown when a program cannot be shown. The message says what to do. */
export class AttachError extends Error {
  override readonly name = 'AttachError';
  readonly code: AttachErrorCode;

  constructor(code: AttachErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  static ofVersion(version: number): AttachError {
    const what = `the program writes events of version ${version}, and this package reads version ${kTraceVersion}`;
    return new AttachError('other_version', `${what}: link the program with the archives of this package`);
  }
}
