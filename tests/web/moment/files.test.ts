// Files dropped on the page: text or trace by their bytes; the page says so while one hangs over any of its parts.

import { afterEach, expect, test } from 'vitest';
import { listenForDrops } from '../../../web/src/moment/files.ts';

/** A target of events with one class, as much as is asked of the page's element. */
class Page extends EventTarget {
  isDropping = false;
  readonly classList = {
    toggle: (name: string, isOn: boolean) => {
      expect(name).toBe('hg-page--dropping');
      this.isDropping = isOn;
    },
  };
  drag(type: string, dataTransfer?: object): boolean {
    return this.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), { dataTransfer }));
  }
}

const page = new Page();
const given: string[] = [];
const stop = listenForDrops(page as unknown as HTMLElement, {
  trace: (name, file) => given.push(`trace ${name} ${file.size}`),
  text: (name, text) => given.push(`text ${name} ${new TextDecoder().decode(text)}`),
});
afterEach(() => {
  given.length = 0;
});

test('the page is marked from the first part that a file hangs over to the last', () => {
  const marks = ['dragenter', 'dragenter', 'dragleave', 'dragover', 'dragleave', 'dragleave', 'dragenter'].map(
    (type) => {
      page.drag(type);
      return page.isDropping;
    },
  );
  expect(marks).toEqual([true, true, true, true, false, false, true]);
  expect(page.drag('drop', { files: [], getData: () => '' })).toBe(false); // the browser does not open it
  expect(page.isDropping).toBe(false);
  page.drag('dragenter');
  page.drag('dragleave');
  expect(page.isDropping).toBe(false);
  expect(given).toEqual([]);
});

test('what is dropped is a text by its bytes, a trace by its name or where it is none', async () => {
  const drop = (dataTransfer: object) => page.drag('drop', { getData: () => '', ...dataTransfer });
  drop({ files: [new File(['alloc 8'], 'steps.bin')] });
  await expect.poll(() => given).toEqual(['text steps.bin alloc 8']);
  drop({ files: [new File(['alloc 8'], 'A.HGTRACE')] });
  await expect.poll(() => given[1]).toBe('trace A.HGTRACE 7');
  drop({ files: [new File([Uint8Array.of(0, 255, 0, 1)], 'steps.txt')] });
  await expect.poll(() => given[2]).toBe('trace steps.txt 4');
  drop({ files: [], getData: () => 'free 1' });
  await expect.poll(() => given[3]).toBe('text dropped text free 1');
});

test('afterwards nothing is listened for', () => {
  stop();
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'])
    expect([type, page.drag(type)]).toEqual([type, true]);
  expect(page.isDropping).toBe(false);
});
