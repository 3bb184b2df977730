// What the places of the extension say to each other.
//
//   page, worker ◀─ MessagePort ─▶ bridge ◀─ a port of the browser for extensions ─▶ panel
//      FromPage ──────────────────────────────────────▶ { from, say }
//      ToPage   ◀────────────────────────────────────── { to, say }
//
//   The bridge reads none of it but `worker`, which brings the port of another place. Places have numbers: 0 is the page.
//
//   A module of ten megabytes takes long on this way, so its checksum goes first: module ─▶, ◀─ wanted, bytes ─▶, ◀─ module.
//   A panel that has the recorded form leaves out the two in the middle.

/** Event on document: the bridge listens. The browser starts it behind the injected script and before the page's own. */
export const kBridge = 'heapglass.extension.bridge';

/** On window, with the port of the page's end: the bridge takes it, and the page does not see it. */
export const kBegin = 'heapglass.extension.begin';

/** From a bridge to the panels: that of its tab connects. From a panel to the bridges of its tab: whoever has something says it. */
export const kHere = { heapglass: 'here' } as const;

export const isHere = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'heapglass' in message && message.heapglass === kHere.heapglass;

export type FromPage =
  /** Its checksum is undefined where the browser makes none for the page: one by http. */
  | { readonly is: 'module'; readonly number: number; readonly name: string; readonly checksum: string | undefined }
  | { readonly is: 'bytes'; readonly number: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly is: 'recorder'; readonly nth: number; readonly title: string }
  /** What the glass of a recorder is answered (web/src/live/protocol.ts). */
  | { readonly is: 'wire'; readonly nth: number; readonly message: unknown }
  | { readonly is: 'worker' }
  | { readonly is: 'problem'; readonly text: string };

export type ToPage =
  /** The bytes of a module. */
  | { readonly is: 'wanted'; readonly number: number }
  /** Without bytes it stays as it is. */
  | { readonly is: 'module'; readonly number: number; readonly bytes?: Uint8Array<ArrayBuffer> }
  | { readonly is: 'wire'; readonly nth: number; readonly message: unknown }
  /** A panel has come: recorders are to be named. */
  | { readonly is: 'panel' }
  /** There is no panel: modules stay as they are, and nobody follows a recorder. */
  | { readonly is: 'alone' };

export interface ToPanel {
  readonly from: number;
  readonly say: FromPage;
}

export interface FromPanel {
  readonly to: number;
  readonly say: ToPage;
}
