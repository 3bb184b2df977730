// What the recorder of an instrumented module asks JavaScript for when it meets a context for the first time: the site of the stack.

import { EventKind } from '../protocol/event_layout.ts';
import { textRecords } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { kPlaceSection, type PlaceOf, readPlaceMap } from './place_map.ts';
import { SiteBook, stackHere } from './site_book.ts';
import { kSiteSection, type PlacedCall, readSiteTable } from './site_table.ts';

/** Writes one record. */
export type Put = (head: number, a: number, b: number, c: number) => void;

/** Gives out the numbers of sites and strings: a known one's, or a new one's negated. */
export interface Numbers {
  siteOf(parent: number, call: PlacedCall): number;
  stringOf(call: PlacedCall): number;
}

/** The import heapglass.stack of a recorder; it writes what is new about the tree of sites. */
export function siteAsker(module: WebAssembly.Module, put: Put, numbers: Numbers = ownNumbers()): () => number {
  const placeOf = placesIn(module);
  if (placeOf === undefined) return () => 0;
  const stringOf = (call: PlacedCall): number => {
    const string = numbers.stringOf(call);
    if (string > 0) return string;
    putText(frameOf(call), put);
    put(headOf(EventKind.stringDefined, 0), -string, 0, 0);
    return -string;
  };
  const book = new SiteBook(placeOf, (parent, call) => {
    const site = numbers.siteOf(parent, call);
    if (site > 0) return site;
    put(headOf(EventKind.siteDefined, 0), -site, parent, stringOf(call));
    return -site;
  });
  return () => book.siteOf(stackHere());
}

/** Of a module with one thread. */
function ownNumbers(): Numbers {
  const strings = new Map<string, number>();
  const sites = new Map<string, number>();
  const next = (numbers: Map<string, number>) => -(numbers.size + 1);
  return {
    siteOf: (parent, { at }) => numberIn(sites, `${parent} ${at}`, () => next(sites)),
    stringOf: (call) => numberIn(strings, frameOf(call), () => next(strings)),
  };
}

/** The number of a key; a new key gets the one that is made, whose size is kept and sign is not. */
function numberIn(numbers: Map<string, number>, key: string, make: () => number): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const made = make();
  numbers.set(key, Math.abs(made));
  return made;
}

/** Of all threads: the recorder has them (known_table.ts). */
export function sharedNumbers(intern: (key: bigint) => number): Numbers {
  const kSites = 1n << 63n;
  const kStrings = kSites | (1n << 62n);
  const pair = (one: number, other: number) => (BigInt(one) << 32n) | BigInt(other);
  return {
    siteOf: (parent, { at }) => intern(kSites | pair(parent, at)),
    stringOf: ({ function: index, original }) => intern(kStrings | pair(index, original + 1)),
  };
}

const frameOf = ({ function: index, original }: PlacedCall): string =>
  original < 0 ? `wasm-function[${index}]` : `wasm-function[${index}]:0x${original.toString(16)}`;

export function placesIn(module: WebAssembly.Module): PlaceOf | undefined {
  const [table] = WebAssembly.Module.customSections(module, kSiteSection);
  if (table !== undefined) {
    const calls = new Map(readSiteTable(new Uint8Array(table)).map((call) => [call.at, call]));
    return (_, at) => calls.get(at);
  }
  const [map] = WebAssembly.Module.customSections(module, kPlaceSection);
  return map === undefined ? undefined : readPlaceMap(new Uint8Array(map));
}

export function putText(text: string, put: Put): void {
  const words = textRecords(text);
  for (let at = 0; at < words.length; at += kEventWords) {
    put(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0);
  }
}
