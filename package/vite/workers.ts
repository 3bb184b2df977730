// How a page finds the workers that record a module: on a channel that both know, as long as the page is open.
//
//   page    {who: true}   ──▶ every worker of this origin
//   worker  {name, title} ──▶ the page, which attaches to it by that name

export const kChannel = 'heapglass.vite';

export interface Asked {
  readonly who: true;
}

export interface Named {
  readonly name: string;
  /** For the visitor. */
  readonly title: string;
}

export const isAsked = (data: unknown): data is Asked => typeof data === 'object' && data !== null && 'who' in data;

export const isNamed = (data: unknown): data is Named =>
  typeof data === 'object' && data !== null && 'name' in data && 'title' in data;
