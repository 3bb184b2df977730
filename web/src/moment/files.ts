// Files in and out: a text or a trace dropped anywhere on the page, and a trace saved.
//
//   file.1  What is dropped is a text by its bytes, not by its name: of anything else the reader of traces says what it is.

import { isText } from '../base/text_bytes.ts';
import { keptTrace, kOwn } from './own_files.ts';

const kTraceNames = /\.hgtrace$/i;

export interface DropListeners {
  trace(name: string, file: Blob): void;
  text(name: string, text: Uint8Array<ArrayBuffer>): void;
}

export const isTraceName = (name: string): boolean => kTraceNames.test(name);

/** Listens on `page` for drops of files and of text; the page says so while something hangs over it. */
export function listenForDrops(page: HTMLElement, listeners: DropListeners): () => void {
  let depth = 0; // dragenter and dragleave come for every child
  const mark = () => page.classList.toggle('hg-page--dropping', depth > 0);
  const enter = (event: DragEvent) => {
    event.preventDefault();
    depth++;
    mark();
  };
  const over = (event: DragEvent) => event.preventDefault();
  const leave = () => {
    depth = Math.max(0, depth - 1);
    mark();
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    depth = 0;
    mark();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData('text/plain') ?? '';
    if (file === undefined) {
      if (text !== '') listeners.text('dropped text', new TextEncoder().encode(text));
      return;
    }
    const bytes = isTraceName(file.name) ? undefined : new Uint8Array(await file.arrayBuffer());
    if (bytes !== undefined && isText(bytes)) listeners.text(file.name, bytes);
    else listeners.trace(file.name, file);
  };
  page.addEventListener('dragenter', enter);
  page.addEventListener('dragover', over);
  page.addEventListener('dragleave', leave);
  page.addEventListener('drop', drop);
  return () => {
    page.removeEventListener('dragenter', enter);
    page.removeEventListener('dragover', over);
    page.removeEventListener('dragleave', leave);
    page.removeEventListener('drop', drop);
  };
}

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, file: BlobPart, type = 'application/octet-stream'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file instanceof Blob ? file : new Blob([file], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A trace's file, from its address. */
export async function fetchTrace(address: string): Promise<Blob> {
  if (address.startsWith(kOwn)) return keptTrace(address);
  const response = await fetch(address).catch((error: unknown) => {
    throw new Error(`${address} cannot be fetched: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return await response.blob();
}
