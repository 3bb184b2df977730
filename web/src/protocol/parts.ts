// A panel's share of a frame: it names it by a key, asks for it by what it wants, and gets its data back.
//
//   part.ts of a panel ── kSizes = partKey<Want, Data>('sizes') ──┬──▶ view.ts: want(kSizes, ...), partOf(frame.parts, kSizes)
//                                                                 └──▶ query.ts: { key: kSizes, query(context, want) }
//
//   PK1  A key belongs to one panel and to one query, so its types say what crosses between worker and page.
//   PK2  A frame has each part that was asked for. It is undefined where there is nothing to show: no heap, or a damaged state.

declare const kWant: unique symbol;
declare const kData: unique symbol;

/** The name of a part, with the types of what is wanted and of what comes. */
export type PartKey<Want, Data> = string & { readonly [kWant]: (want: Want) => void; readonly [kData]: Data };

/** What is wanted of each part. */
export type PartWants = Readonly<Record<string, unknown>>;

/** What came of each part. */
export type FrameParts = Readonly<Record<string, unknown>>;

export const partKey = <Want, Data>(id: string): PartKey<Want, Data> => id as PartKey<Want, Data>;

export const want = <Want, Data>(key: PartKey<Want, Data>, wanted: Want): PartWants => ({ [key]: wanted });

/** PK1: only the query of the key writes there. */
export const partOf = <Want, Data>(parts: FrameParts, key: PartKey<Want, Data>): Data | undefined =>
  parts[key] as Data | undefined;
