// Why something cannot be attached, in one sentence that says what to do.

import { kTraceVersion } from '../protocol/event_layout.ts';

export type AttachErrorCode = 'no_recorder' | 'other_version' | 'no_page' | 'no_window';

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
