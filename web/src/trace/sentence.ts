// Sentences with one number that decides: text, and where in it that number stands.

import { formatCount } from '../base/format.ts';
import type { Event } from './decode.ts';

export interface Sentence {
  readonly text: string;
  /** The deciding number, as [start, end) in text. */
  readonly emphasis: readonly [number, number] | undefined;
}

export interface Strong {
  readonly strong: string;
}

export const strong = (text: string): Strong => ({ strong: text });

/** From its parts; at most one of them is strong. */
export function sentence(...parts: readonly (string | Strong)[]): Sentence {
  let text = '';
  let emphasis: readonly [number, number] | undefined;
  for (const part of parts) {
    const words = typeof part === 'string' ? part : part.strong;
    if (typeof part !== 'string') emphasis = [text.length, text.length + words.length];
    text += words;
  }
  return { text, emphasis };
}

export type Describe = (event: Event) => Sentence;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
