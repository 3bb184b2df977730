// What a report says, as plain JSON: the types of report_schema.ts.

import type { Described } from '../document/schema.ts';
import type { kReportSchema } from './report_schema.ts';

export const kReportVersion = 1;

export type Report = Described<typeof kReportSchema>;

type Item<List extends readonly unknown[]> = List[number];

export type Totals = Report['totals'];
export type Peak = Report['peak'];
export type Sizes = Report['sizes'];
/** Whole numbers from `from` up to and including `to`. */
export type Bucket = Item<Sizes['histogram']>;
export type SizeRow = Item<Sizes['most_frequent']>;
export type Lifetimes = Report['lifetimes'];
export type Temporaries = Report['temporaries'];
export type Leaks = Report['leaks'];
export type Returnable = Report['returnable'];
export type Fragmentation = Report['fragmentation'];
export type Growth = Item<Report['growths']['list']>;
export type Advice = Report['advice'];
export type PoolAdvice = Item<Advice['pools']>;
export type ReserveAdvice = Item<Advice['reserves']>;
export type Mark = Item<Report['marks']['list']>;
export type SiteRows = Report['sites'];
export type SiteFigures = SiteRows['unknown'];
export type SiteRow = Item<SiteRows['list']>;
export type Place = NonNullable<SiteRows['between']>['from'];
export type Handles = Report['handles'];
export type HandleRow = Item<Handles['groups']>;
export type Sample = Item<Report['timeline']>;
