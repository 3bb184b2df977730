// Blocks that were freed almost at once, by the call that made them and by size: candidates for a buffer that is kept.
//
//   temporaries.V1  They are counted over the whole trace, when time rests: counting reads every event.
//   temporaries.V2  One question is under way at a time; it is asked again when the trace or the choice has changed meanwhile.

import './sites.css';
import { formatBytes, formatCount } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';
import type { TemporariesFrame } from '../../protocol/whole_trace.ts';
import { nameOf } from './flame_layout.ts';

/** Freed before so many more allocations. */
const kChoices = [1, 16, 256] as const;
const kMostSizes = 12;

export interface TemporariesCallbacks {
  count(within: number): Promise<TemporariesFrame>;
}

export function createTemporaries(parent: Element, { count }: TemporariesCallbacks) {
  let within: number = kChoices[0];
  let source: unknown; // whose events are counted
  let head = 0;
  let asked = '';
  let asking = false;

  const note = make('p', { class: 'hg-note', role: 'status' });
  const choices = kChoices.map((choice) => {
    const button = make('button', { type: 'button', class: 'hg-segment' }, formatCount(choice));
    button.addEventListener('click', () => {
      within = choice;
      press();
      void ask();
    });
    return { choice, button };
  });
  const sites = tableOf('Freed almost at once, by call', 'call', 'bytes', 'blocks');
  const sizes = tableOf('Freed almost at once, by size', 'size', '', 'blocks');
  const element = make(
    'section',
    { class: 'hg-temporaries', 'aria-label': 'Temporaries' },
    make('h2', { class: 'hg-heading' }, 'Freed almost at once'),
    make(
      'div',
      { class: 'hg-temporaries__choice' },
      'before',
      make(
        'div',
        { class: 'hg-segments', role: 'group', 'aria-label': 'Allocations between birth and end' },
        ...choices.map(({ button }) => button),
      ),
      'more allocations',
    ),
    note,
    sites.table,
    sizes.table,
  );
  parent.append(element);
  press();

  function press(): void {
    for (const { choice, button } of choices) button.setAttribute('aria-pressed', String(choice === within));
  }

  async function ask(): Promise<void> {
    const key = `${head}/${within}`;
    if (asking || source === undefined || key === asked) return;
    asked = key;
    asking = true;
    const of = source;
    try {
      const frame = await count(within);
      if (of === source) show(frame);
    } catch (error) {
      setText(note, error instanceof Error ? error.message : String(error));
    } finally {
      asking = false;
    }
    await ask(); // V2
  }

  function show(counted: TemporariesFrame): void {
    const { known, bySite, bySize } = counted;
    setText(note, sumText(counted));
    sites.table.hidden = !known || bySite.length === 0;
    sizes.table.hidden = bySize.length === 0;
    sites.show(
      bySite.map(({ frames, count: each, bytes: size }) => ({
        name: nameOf({ frame: frames[0] ?? '' }),
        title: frames.join('\n'),
        caller: frames[1] === undefined ? undefined : nameOf({ frame: frames[1] }),
        cells: [formatBytes(size), formatCount(each)],
      })),
    );
    sizes.show(
      bySize
        .slice(0, kMostSizes)
        .map(({ size, count: each }) => ({ name: formatBytes(size), cells: ['', formatCount(each)] })),
    );
  }

  return {
    element,
    /** The events there are now, of a trace that is the same as long as `of` is. */
    update(of: unknown, newHead: number): void {
      if (of !== source) asked = '';
      source = of;
      head = newHead;
      void ask();
    },
    dispose(): void {
      source = undefined;
      element.remove();
    },
  };
}

function sumText({ count, bytes, share, seq }: TemporariesFrame): string {
  if (count === 0) return `No block of the ${formatCount(seq)} events was.`;
  const percent = `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
  return `${formatCount(count)} blocks, ${percent} of all, ${formatBytes(bytes)} in ${formatCount(seq)} events.`;
}

interface Row {
  readonly name: string;
  readonly title?: string;
  readonly caller?: string | undefined;
  readonly cells: readonly string[];
}

function tableOf(label: string, ...heads: readonly string[]) {
  const body = make('tbody', {});
  const head = make(
    'tr',
    {},
    ...heads.map((name) => make(name === '' ? 'td' : 'th', name === '' ? {} : { scope: 'col' }, name)),
  );
  const table = make(
    'table',
    { class: 'hg-sites__table hg-figures', 'aria-label': label, hidden: true },
    make('thead', {}, head),
    body,
  );
  return {
    table,
    show(rows: readonly Row[]): void {
      body.replaceChildren(
        ...rows.map(({ name, title, caller, cells }) =>
          make(
            'tr',
            {},
            make(
              'th',
              { scope: 'row', title },
              name,
              caller === undefined ? undefined : make('span', { class: 'hg-dim' }, ` ← ${caller}`),
            ),
            ...cells.map((cell) => make('td', {}, cell)),
          ),
        ),
      );
    },
  };
}
