// What a list of call sites can be of: the blocks in use, what leaked, what was freed almost at once, or what a stretch of time did. Each
// is functions of the program's own with file and line.
//
//   lists.L1  What needs a look at many events is asked when time rests and its list is open, one question at a time; it is asked again
//             when the trace, the moment or the choice has changed meanwhile.
//   lists.L2  A question that is asked opens the list of what it asks about.

import { formatBytes, formatCount, formatShare } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';
import type { EventRange } from '../../moment/state.ts';
import type { AnswerSite, AnswerTo, QuestionId } from '../../protocol/answers.ts';
import type { SiteNode } from '../../protocol/site_nodes.ts';
import type { RangeSitesFrame, TemporariesFrame } from '../../protocol/whole_trace.ts';
import type { SitesFrame } from './part.ts';
import { createSegments } from './segments.ts';
import { createSiteTable, type SiteTableRow } from './site_table.ts';

type ListId = 'held' | 'leaks' | 'temporaries' | 'range';

/** Freed before so many more allocations. */
const kChoices = [1, 16, 256] as const;
const kMostSizes = 12;

export interface ListsMoment {
  readonly source: unknown;
  readonly head: number;
  readonly at: number;
  readonly heap: number;
  /** The stretch that the time line shows; undefined: all of it. */
  readonly range: EventRange | undefined;
  readonly libraries: boolean;
  /** The question that is open. */
  readonly question: QuestionId | undefined;
}

export interface ListsCallbacks {
  press(frame: string): void;
  leaked(at: number, heap: number): Promise<AnswerTo<'leaked'>>;
  temporaries(within: number): Promise<TemporariesFrame>;
  range(range: EventRange, libraries: boolean): Promise<RangeSitesFrame>;
}

interface Shown {
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly SiteTableRow[];
  readonly sizes?: readonly SiteTableRow[];
  /** For the flame graph, where the list is of other blocks than those in use at the moment. */
  readonly graph?: Graph;
}

export interface Graph {
  readonly nodes: readonly SiteNode[];
  /** What its blocks are: in use. */
  readonly of: string;
}

const kNothing: Shown = { note: '', columns: [], rows: [] };
const kNoSites = 'This trace does not say which call made a block.';

/** `drawn`: another list, or another state of it, is shown. */
export function createLists(callbacks: ListsCallbacks, drawn: () => void) {
  let list: ListId = 'held';
  let within: number = kChoices[0];
  let moment: ListsMoment | undefined;
  let frame: SitesFrame | undefined;
  let lit: string | undefined;
  let shown = kNothing;
  let asked = '';
  let asking = false;
  let question: QuestionId | undefined;

  const note = make('p', { class: 'hg-note hg-sites__note', role: 'status' });
  const table = createSiteTable('Call sites', callbacks.press);
  const bySize = createSiteTable('By size', callbacks.press);
  const choice = makeChoice((next) => {
    within = next;
    void ask();
  });
  const lists = makeListChoice(open);
  const element = make(
    'div',
    { class: 'hg-sites__left' },
    make('div', { class: 'hg-sites__bar' }, lists.element),
    choice,
    note,
    table.element,
    bySize.element,
  );

  function open(next: ListId): void {
    list = next;
    lists.show(next);
    asked = '';
    shown = kNothing;
    draw();
    void ask();
  }

  function draw(): void {
    choice.hidden = list !== 'temporaries';
    const { note: text, columns, rows, sizes = [] } = list === 'held' ? heldOf(frame) : shown;
    const isAnswered = list === 'leaks' && question === 'leaked'; // the same sentence stands above the map
    setText(note, frame?.known === false && list !== 'temporaries' ? kNoSites : isAnswered ? '' : text);
    table.show(columns, rows, lit);
    bySize.show(['size', 'blocks'], sizes, undefined);
    drawn();
  }

  /** L1 */
  async function ask(): Promise<void> {
    const of = moment;
    if (of === undefined) return;
    const key = keyOf(list, of, within);
    if (asking || list === 'held' || key === asked) return;
    asked = key;
    asking = true;
    try {
      const next = await load(callbacks, list, of, within);
      if (moment?.source === of.source && asked === key) shown = next;
    } catch (error) {
      shown = { ...kNothing, note: error instanceof Error ? error.message : String(error) };
    } finally {
      asking = false;
    }
    draw();
    await ask();
  }

  return {
    element,
    graph: (): Graph => (list === 'held' ? undefined : shown.graph) ?? { nodes: frame?.nodes ?? [], of: 'in use' },
    /** In use: at every frame. `rests`: the rest may be asked for, of the moment. */
    update(next: SitesFrame | undefined, now: ListsMoment, rests: boolean, litFrame: string | undefined): void {
      if (now.source !== moment?.source) {
        asked = '';
        shown = kNothing;
      }
      frame = next;
      lit = litFrame;
      const askedFor = now.question === question ? undefined : kListOf[now.question ?? 'grew'];
      question = now.question;
      moment = rests ? now : moment;
      if (askedFor !== undefined && askedFor !== list) open(askedFor); // L2
      draw();
      if (rests) void ask();
    },
    dispose(): void {
      moment = undefined;
    },
  };
}

/** What an answer depends on. */
const keyOf = (list: ListId, { head, at, heap, range, libraries }: ListsMoment, within: number): string =>
  list === 'temporaries'
    ? `${list} ${head} ${within}`
    : list === 'leaks'
      ? `${list} ${head} ${at} ${heap}`
      : `${list} ${libraries} ${range === undefined ? head : `${range.from} ${range.to}`}`;

async function load(
  callbacks: ListsCallbacks,
  list: ListId,
  { at, heap, head, range, libraries }: ListsMoment,
  within: number,
): Promise<Shown> {
  if (list === 'leaks') return leaksOf(await callbacks.leaked(at, heap));
  if (list === 'temporaries') return temporariesOf(await callbacks.temporaries(within));
  return rangeOf(await callbacks.range(range ?? { from: 0, to: head }, libraries));
}

function makeChoice(choose: (within: number) => void): HTMLElement {
  const choices = createSegments(
    'Allocations between birth and end',
    kChoices.map((choice) => [choice, formatCount(choice)] as const),
    choose,
  );
  const words = { class: 'hg-sites__choice', hidden: true };
  return make('div', words, 'freed before', choices.element, 'more allocations');
}

/** L2 */
const kListOf: Partial<Readonly<Record<QuestionId, ListId>>> = { holds: 'held', leaked: 'leaks' };

const makeListChoice = (choose: (list: ListId) => void) =>
  createSegments<ListId>(
    'Lists of call sites',
    [
      ['held', 'In use'],
      ['leaks', 'Leaks'],
      ['temporaries', 'Temporaries'],
      ['range', 'Time range'],
    ],
    choose,
  );

function heldOf(frame: SitesFrame | undefined): Shown {
  const { rows = [], functions = 0, bytes: all = 0 } = frame ?? {};
  const more =
    functions > rows.length ? `The ${formatCount(rows.length)} with most of ${formatCount(functions)} functions.` : '';
  return {
    note: more,
    columns: ['function', 'in use', 'share', 'blocks'],
    rows: rows.map(({ frame: of, bytes, count }) => ({
      frame: of,
      cells: [formatBytes(bytes), formatShare(bytes / Math.max(all, 1)), formatCount(count)],
      share: bytes / Math.max(all, 1),
    })),
  };
}

const frameOf = ({ function: name, file, line }: AnswerSite): string =>
  file === '' ? name : `${name}@${file}${line === 0 ? '' : `:${line}`}`;

/** Those that keep growing come first. */
function leaksOf({ sentence, evidence, figures }: AnswerTo<'leaked'>): Shown {
  return {
    note: sentence.replaceAll('`', ''),
    columns: ['function', 'held', 'blocks', 'made at'],
    rows: evidence.sites.map((site, nth) => ({
      frame: frameOf(site),
      cells: [
        formatBytes(site.size_bytes),
        formatCount(site.blocks),
        `${formatCount(site.oldest_event)} to ${formatCount(site.newest_event)}`,
      ],
      stack: site.stack,
      ...(nth < figures.growing_sites ? { mark: 'keeps growing' } : {}),
    })),
  };
}

function temporariesOf({ known, count, bytes, share, seq, bySite, bySize }: TemporariesFrame): Shown {
  const percent = `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
  const note =
    count === 0
      ? `No block of the ${formatCount(seq)} events was.`
      : `${formatCount(count)} blocks, ${percent} of all, ${formatBytes(bytes)} in ${formatCount(seq)} events.`;
  return {
    note,
    columns: ['function', 'bytes', 'blocks'],
    rows: (known ? bySite : []).map(({ frames, count: each, bytes: size }) => ({
      frame: frames[0] ?? '',
      cells: [formatBytes(size), formatCount(each)],
      stack: frames,
    })),
    sizes: bySize.slice(0, kMostSizes).map(({ size, count: each }) => ({
      frame: '',
      text: formatBytes(size),
      cells: [formatCount(each)],
    })),
  };
}

function rangeOf({ from, to, known, allocated, freed, kept, rows, nodes }: RangeSitesFrame): Shown {
  const sums = `${formatBytes(allocated)} allocated, ${formatBytes(freed)} freed, ${formatBytes(kept)} of it kept`;
  return {
    note: `Events ${formatCount(from)} to ${formatCount(to)}, the stretch that the time line shows (Shift and drag there chooses another): ${sums}.`,
    columns: ['function', 'allocated', 'freed', 'kept'],
    rows: known
      ? rows.map((row) => ({
          frame: row.frame,
          cells: [formatBytes(row.allocated), formatBytes(row.freed), formatBytes(row.kept)],
          share: row.kept / Math.max(kept, 1),
        }))
      : [],
    graph: { nodes, of: 'made in the stretch and kept' },
  };
}
