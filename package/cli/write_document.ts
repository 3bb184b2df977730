// What a command says, as it was asked for: text or JSON on standard output, a page in a file.

import type { Document } from '../../web/src/document/document.ts';
import { type PageScript, renderHtml } from '../../web/src/document/render_html.ts';
import { renderText } from '../../web/src/document/render_text.ts';
import { print, printJson } from './output.ts';
import { writeOut } from './write_out.ts';

export interface FormatOptions {
  readonly json?: boolean;
  readonly html?: string;
}

/** quiet: without the text, which something else takes the place of. */
export function writeDocument(
  document: Document,
  { json, html }: FormatOptions,
  exitCode: number,
  { quiet = false, script }: { readonly quiet?: boolean; readonly script?: () => PageScript } = {},
): void {
  if (html !== undefined) writeOut(html, renderHtml(document, script?.()), exitCode);
  if (json === true) printJson(document.data);
  else if (html === undefined && !quiet) print(renderText(document).trimEnd());
}
