// A moment is an address: which source, with which seed, at which event, at which place and zoom, with what selected.
//
//   #scenario=adaptive_pool&seed=7&event=48212&from=40000&to=60000&at=0x3e000&row=4096&select=0x41a30&bin=14&tab=experiments
//       &experiment=AE5&since=40000&bookmarks=41000,52007&ask=grew&asked=52007
//
// U1  writeHash(readHash(h)) names the same moment as h; parts that are as at first load are left out, and the first moment
//     (first_moment.ts) has no hash at all.
// U2  What cannot be read is left out part by part, so a shortened link still opens; the page names these parts.
//   #scene=joining&seed=7&number=300&event=40   a scene, at one of its steps, with the number that it lets be changed
//   #script=<text>   a script, its text compressed: it is shown, and runs when the visitor says so
//   #live=<id>   the program that answers to the id, in the window that opened this one or of the same origin
//   #trace=<address>   the trace file at the address, which may be relative to the page's
//   #trace=own:<name>   the visitor's own file, as this browser keeps it (own_files.ts)
// A text of the visitor's own is not in the address; its moments are not linkable.

import { addr, bytes, seq } from '../base/brand.ts';
import { kExperimentIds } from '../protocol/experiments.ts';
import { kColourings } from '../protocol/map_frames.ts';
import { readBookmarks } from './bookmarks.ts';
import { standingAt } from './first_moment.ts';
import { kOwn } from './own_files.ts';
import type { PanelName } from './panel_names.ts';
import { readQuestion, writeQuestion } from './question.ts';
import { kDefaultSeed, kInitialState, kViews, type Source, type State } from './state.ts';

/** A scenario whose id begins so is a scene. */
const kScene = 'scene_';

export const isScene = (source: Source): boolean => source.kind === 'scenario' && source.id.startsWith(kScene);
/** What an address asked for, in words. */
export const namedScenario = (id: string): string =>
  id.startsWith(kScene) ? `scene “${id.slice(kScene.length)}”` : `scenario “${id}”`;
/** What a script is called, wherever sources have names. */
export const kScriptName = 'Script';

export type Moment = StateMoment & { readonly open?: Opened };

/** What a link opens over the page once, which is no part of its state: it is not written back. */
export const kOpened = ['share', 'find', 'help', 'table'] as const;
export type Opened = (typeof kOpened)[number];

/** The part of the state an address tells. `cursor` given means: stand still there. */
type StateMoment = Partial<
  Pick<
    State,
    | 'source'
    | 'cursor'
    | 'follow'
    | 'playing'
    | 'range'
    | 'since'
    | 'bookmarks'
    | 'place'
    | 'folded'
    | 'colour'
    | 'libraries'
    | 'view'
    | 'selected'
    | 'asking'
    | 'heap'
    | 'bin'
    | 'pool'
    | 'tab'
    | 'experiment'
  >
>;

/**
 * @param panels those there are: no other is a part of a moment
 * @param unread gets the parts that cannot be read, as they are written in the address (U2)
 */
export function readHash(hash: string, panels: readonly PanelName[], unread: string[] = []): Moment {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const known = new Set<string>();
  /** What the part's text means; undefined: there is no such part, or its text means nothing. */
  const part = <Value>(name: string, meaning: (text: string) => Value | undefined): Value | undefined => {
    known.add(name);
    const text = parts.get(name);
    if (text === null) return undefined;
    const value = meaning(text);
    if (value === undefined) unread.push(`${name}=${text}`);
    return value;
  };
  const whole = (name: string, most: number) =>
    part(name, (text) => (/^(0x[0-9a-f]+|\d+)$/i.test(text) && Number(text) <= most ? Number(text) : undefined));
  const matching = (name: string, pattern: RegExp) => part(name, (text) => (pattern.test(text) ? text : undefined));
  const oneOf = <Name extends string>(name: string, all: readonly Name[]) =>
    part(name, (text) => all.find((each) => each === text));
  /** Parts that mean something only together. */
  const together = <Value>(names: readonly string[], value: Value | undefined): Value | undefined => {
    const given = names.filter((name) => parts.has(name)).map((name) => `${name}=${parts.get(name)}`);
    if (value === undefined) unread.push(...given.filter((text) => !unread.includes(text)));
    return value;
  };
  const source = sourceOf({
    id: matching('scenario', /^[a-z0-9_]+$/),
    scene: matching('scene', /^[a-z0-9_]+$/),
    live: matching('live', /./),
    script: matching('script', /^[\w-]+$/),
    trace: matching('trace', /./),
    seed: whole('seed', 0xffffffff) ?? kDefaultSeed,
    number: whole('number', 0xffffffff),
  });
  const event = whole('event', Number.MAX_SAFE_INTEGER);
  const from = whole('from', Number.MAX_SAFE_INTEGER);
  const to = whole('to', Number.MAX_SAFE_INTEGER);
  const range = together(
    ['from', 'to'],
    from !== undefined && to !== undefined && from < to ? { from, to } : undefined,
  );
  const since = whole('since', Number.MAX_SAFE_INTEGER);
  matching('bookmarks', /^\d{1,15}(,\d{1,15})*$/); // those of them that can be read are kept
  const bookmarks = readBookmarks(parts.get('bookmarks') ?? '');
  const origin = whole('at', 0xffffffff);
  const bytesPerRow = whole('row', 2 ** 32);
  const place = together(
    ['at', 'row'],
    origin !== undefined && bytesPerRow !== undefined && bytesPerRow >= 16
      ? { origin: addr(origin), bytesPerRow: bytes(bytesPerRow) }
      : undefined,
  );
  const selected = whole('select', 0xffffffff);
  const heap = whole('heap', 255);
  const bin = whole('bin', 0xffff);
  const pool = whole('pool', 0xffff);
  const tab = part('tab', (text) => panels.find(({ id, formerIds }) => id === text || formerIds?.includes(text))?.id);
  const colour = oneOf('colour', kColourings);
  const view = oneOf('view', kViews);
  const fold = oneOf('fold', ['off']);
  const libraries = oneOf('libraries', ['on']);
  const experiment = oneOf('experiment', kExperimentIds);
  const open = oneOf('open', kOpened);
  const question = part('ask', readQuestion);
  const asked = whole('asked', Number.MAX_SAFE_INTEGER) ?? event;
  for (const [name, text] of parts) if (!known.has(name)) unread.push(text === '' ? name : `${name}=${text}`);
  return {
    ...(open !== undefined ? { open } : {}),
    ...(source !== undefined ? { source } : {}),
    ...openedBy(panels, source),
    ...(event !== undefined ? { cursor: seq(event), follow: false, playing: false } : {}),
    ...(range !== undefined ? { range } : {}),
    ...(since !== undefined ? { since } : {}),
    ...(bookmarks.length > 0 ? { bookmarks } : {}),
    ...(place !== undefined ? { place } : {}),
    ...(view !== undefined ? { view } : {}),
    ...(fold !== undefined ? { folded: false } : {}),
    ...(colour !== undefined ? { colour } : {}),
    ...(libraries !== undefined ? { libraries: true } : {}),
    ...(selected !== undefined ? { selected: addr(selected) } : {}),
    ...(question !== undefined && asked !== undefined ? { asking: { question, at: asked } } : {}),
    ...(heap !== undefined ? { heap } : {}),
    ...(bin !== undefined ? { bin } : {}),
    ...(pool !== undefined ? { pool } : {}),
    ...(tab !== undefined ? { tab } : {}),
    ...(experiment !== undefined ? { experiment } : {}),
  };
}

interface SourceParts {
  readonly id: string | undefined;
  readonly scene: string | undefined;
  readonly script: string | undefined;
  readonly trace: string | undefined;
  readonly live: string | undefined;
  readonly seed: number;
  readonly number: number | undefined;
}

/** Of several the last one in this order. */
function sourceOf({ id, scene, script, trace, live, seed, number }: SourceParts): Source | undefined {
  if (live !== undefined) return { kind: 'live', name: live, id: live };
  if (trace !== undefined) return { kind: 'trace', name: nameAt(trace), address: trace };
  if (script !== undefined) return { kind: 'script', name: kScriptName, packed: script };
  if (scene !== undefined)
    return { kind: 'scenario', id: kScene + scene, seed, ...(number === undefined ? {} : { number }) };
  return id === undefined ? undefined : { kind: 'scenario', id, seed };
}

/** The panel that an address with this source opens, and time stands still there. */
function openedBy(panels: readonly PanelName[], source: Source | undefined): StateMoment {
  const owner = source && ownerOf(panels, source);
  return owner === undefined ? {} : { tab: owner.id, playing: false };
}

/** The panel that an address with this source opens. */
const ownerOf = (panels: readonly PanelName[], source: Source): PanelName | undefined =>
  panels.find(({ ownsAddress }) => ownsAddress?.(source));

export function writeHash(state: State, panels: readonly PanelName[]): string {
  if (state.source.kind === 'live') return `#live=${encodeURIComponent(state.source.id)}`; // its moments pass
  const { source } = state;
  if (source.kind === 'words' || (source.kind === 'trace' && source.address === undefined)) return '';
  const parts: string[] = [];
  if (source.kind === 'trace') parts.push(`trace=${encodeURIComponent(source.address ?? '').replaceAll('%2F', '/')}`);
  else if (source.kind === 'script') parts.push(`script=${source.packed}`);
  else if (isScene(source)) parts.push(`scene=${source.id.slice(kScene.length)}`);
  else if (source.id !== '') parts.push(`scenario=${source.id}`);
  if (source.kind === 'scenario' && source.seed !== kDefaultSeed) parts.push(`seed=${source.seed}`);
  if (source.kind === 'scenario' && source.number !== undefined) parts.push(`number=${source.number}`);
  const moment = writeMoment(state, panels);
  if (moment !== '') parts.push(moment);
  const atFirst = state.first && { ...kInitialState, source, ...standingAt(state.first) };
  if (atFirst !== undefined && moment === writeMoment(atFirst, panels)) return '';
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/** All of a moment but its source. */
export function writeMoment(state: State, panels: readonly PanelName[]): string {
  const parts: string[] = [];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined) parts.push(`${name}=${value}`);
  };
  const hex = (value: number | undefined) => (value === undefined ? undefined : `0x${value.toString(16)}`);
  if (!state.playing && !state.follow) add('event', state.cursor);
  add('from', state.range?.from);
  add('to', state.range?.to);
  add('since', state.since);
  if (state.bookmarks.length > 0) add('bookmarks', state.bookmarks.join(','));
  // The map may be drawn down so far that its first row lies before address 0.
  add('at', hex(state.place && Math.max(0, state.place.origin)));
  add('row', state.place?.bytesPerRow);
  if (state.view !== kInitialState.view) add('view', state.view);
  if (!state.folded) add('fold', 'off');
  if (state.colour !== kInitialState.colour) add('colour', state.colour);
  if (state.libraries) add('libraries', 'on');
  add('select', hex(state.selected));
  if (state.asking !== undefined) {
    add('ask', encodeURIComponent(writeQuestion(state.asking.question)));
    if (state.playing || state.follow || state.asking.at !== state.cursor) add('asked', state.asking.at);
  }
  if (state.heap !== 0) add('heap', state.heap);
  add('bin', state.bin);
  add('pool', state.pool);
  const owner = ownerOf(panels, state.source)?.id;
  const tab = panels.find(({ id }) => id === state.tab)?.id; // pn.1
  if (tab !== owner) add('tab', tab ?? panels[0]?.id);
  add('experiment', state.experiment);
  return parts.join('&');
}

/** A file's name, by its address. */
function nameAt(address: string): string {
  if (address.startsWith(kOwn)) return address.slice(kOwn.length);
  const last =
    address
      .replace(/[?#].*$/, '')
      .split('/')
      .pop() ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
