// Which strangers a run takes: HG_MODULES.

import { kStrangers } from './stranger_programs.mjs';
import { kTwenty } from './twenty_programs.mjs';

const lists = new Map([
  ['strangers', kStrangers],
  ['twenty', kTwenty],
]);
const { HG_MODULES = 'strangers' } = process.env;

export const kChosen = lists.get(HG_MODULES) ?? [];
