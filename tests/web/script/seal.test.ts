// The one way out of a script's worker: a real port, and what comes through it.

import { afterEach, expect, test } from 'vitest';
import { readNote } from '../../../web/src/protocol/script_notes.ts';
import { kMostCharacters, kMostNotes, type ScriptNote } from '../../../web/src/protocol/scripts.ts';
import { sealedPost } from '../../../web/src/script/seal.ts';

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

const line = (text: string): ScriptNote => ({ type: 'printed', line: text });

/** What the page reads of the notes, in order. */
async function sent(notes: Iterable<ScriptNote>): Promise<readonly (ScriptNote | undefined)[]> {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const got: (ScriptNote | undefined)[] = [];
  const over = new Promise<void>((resolve) => {
    port2.onmessage = ({ data }) => (data === 'over' ? resolve() : got.push(readNote(data)));
  });
  const post = sealedPost(port1);
  for (const note of notes) post(note);
  port1.postMessage('over');
  await over;
  return got;
}

const kStopped = {
  type: 'ended',
  error: { message: expect.stringContaining('more than a page can take'), line: undefined, column: undefined },
};

test('every note comes through, up to the most that a run has', async () => {
  const notes = Array.from({ length: kMostNotes }, (_, nth) => line(`${nth}`));
  expect(await sent(notes)).toEqual(notes);
});

test('one note more ends the run, and nothing follows', async () => {
  const got = await sent(Array.from({ length: kMostNotes + 3 }, () => line('')));
  expect([got.length, got.at(-1)]).toEqual([kMostNotes + 1, kStopped]);
});

test('more characters than a run has end it, in one note or in many', async () => {
  const half = line('x'.repeat(kMostCharacters / 2));
  expect(await sent([line('a'), line('x'.repeat(kMostCharacters)), line('b')])).toEqual([line('a'), kStopped]);
  expect(await sent([half, half, line('b')])).toEqual([undefined, kStopped]); // too long for a line, and sent
});

test('a note that cannot be written ends the run', async () => {
  const broken = {
    toJSON: () => {
      throw new Error('no');
    },
  } as unknown as ScriptNote;
  expect(await sent([line('a'), broken, line('b')])).toEqual([line('a'), kStopped]);
});
