// What the recorder of an instrumented module asks JavaScript for when it meets a context for the first time: the site of the stack.

import { EventKind } from '../protocol/event_layout.ts';
import { textRecords } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { kPlaceSection, type PlaceOf, readPlaceMap } from './place_map.ts';
import { SiteBook, stackHere } from './site_book.ts';
import { kSiteSection, readSiteTable } from './site_table.ts';

/** Writes one record. */
export type Put = (head: number, a: number, b: number, c: number) => void;

/** The import heapglass.stack of a recorder; it writes what is new about the tree of sites. */
export function siteAsker(module: WebAssembly.Module, put: Put): () => number {
  const placeOf = placesIn(module);
  if (placeOf === undefined) return () => 0;
  const strings = new Map<string, number>();
  const stringOf = (text: string): number => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    const string = strings.size + 1;
    strings.set(text, string);
    putText(text, put);
    put(headOf(EventKind.stringDefined, 0), string, 0, 0);
    return string;
  };
  const book = new SiteBook(placeOf, (site, parent, frame) =>
    put(headOf(EventKind.siteDefined, 0), site, parent, stringOf(frame)),
  );
  return () => book.siteOf(stackHere());
}

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
