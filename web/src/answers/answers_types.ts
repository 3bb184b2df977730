// What heapglass ask --json says, as plain JSON: the types of answers_schema.ts.

import type { Described } from '../document/schema.ts';
import type { kAnswersSchema } from './answers_schema.ts';

export const kAnswersVersion = 1;

export type Answers = Described<typeof kAnswersSchema>;
