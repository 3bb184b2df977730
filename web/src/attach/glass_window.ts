// The glass in a window of its own: at the address of a served glass, or made here from a document that brings everything along.
//
//   window.1  The window is opened before anything is waited for: only then is it the visitor's press that opens it.
//   window.2  The document is a blob: address of this page's origin, so a reload of the window finds the program again. It is forbidden
//       where the page's content policy forbids scripts of its own; then glassUrl is needed.
//   window.3  The window finds the program by an id in its address (live/connect.ts).

import { AttachError } from './attach_error.ts';

export interface GlassWindowOptions {
  readonly id: string;
  readonly where: 'tab' | 'window';
  /** Where the glass is served; undefined: it is made here. */
  readonly glassUrl: string | URL | undefined;
}

const kFeatures = { tab: undefined, window: 'popup,width=1280,height=800' } as const;

/** Opens the window; undefined when the browser forbids it. The window's content comes later. */
export function openGlassWindow({ id, where, glassUrl }: GlassWindowOptions): Window | undefined {
  if (typeof window === 'undefined')
    throw new AttachError('no_page', 'a worker opens no window: attach there by attach.toPage()');
  const opened = window.open('', `heapglass-${id}`, kFeatures[where]) ?? undefined;
  if (opened === undefined) return undefined;
  const go = (address: string) => {
    opened.location.href = `${address}#live=${encodeURIComponent(id)}`;
  };
  if (glassUrl !== undefined) go(new URL(glassUrl, document.baseURI).href);
  else void glassDocument().then(go);
  return opened;
}

/** The origin of the glass in a window that openGlassWindow() opened: a blob: document's is its maker's. */
export const glassOrigin = (glassUrl: string | URL | undefined): string =>
  glassUrl === undefined ? self.origin : new URL(glassUrl, document.baseURI).origin;

let made: Promise<string> | undefined;

/** The address of a document that is the whole glass; made once, when it is first needed. */
function glassDocument(): Promise<string> {
  made ??= import('./glass_page.ts?document').then(({ default: html }) =>
    URL.createObjectURL(new Blob([html], { type: 'text/html' })),
  );
  return made;
}
