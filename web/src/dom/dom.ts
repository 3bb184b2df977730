// The few DOM helpers the views share: making elements, and keeping a list of elements in step with a list of data.

import { visible } from '../base/visible.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type Child = Node | string | undefined;

/** An element with attributes (true: present, false or undefined: absent) and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  appendTo(element, children);
  return element;
}

/** The page's door for what a trace brings: no letter is unseen, or turns the direction of others. */
const asShown = (text: string): string => visible(text, { lines: true });

function appendTo(element: Element, children: readonly Child[]): void {
  for (const child of children)
    if (child !== undefined) element.append(typeof child === 'string' ? asShown(child) : child);
}

const kSvg = 'http://www.w3.org/2000/svg';

export function makeSvg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(kSvg, tag);
  setAttributes(element, attributes);
  appendTo(element, children);
  return element;
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : asShown(String(value)));
  }
}

/** What has the focus where `element` is: in its document, or in the shadow root around it. */
export function focusedBeside(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

/** Writes only what differs: unchanged text costs no layout and does not wake a screen reader. */
export function setText(element: Element, text: string): void {
  const shown = asShown(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/**
 * Says on the page's root that it holds this part now, as `data-name`: what stands elsewhere makes room for it. CSS asks the root and
 * not `:has()`: that is answered again, and what it decides laid out again, whenever a text or an element comes or goes in the page.
 */
export function markPage(part: Element, name: string, holds: boolean): void {
  part.closest('.hg-page')?.toggleAttribute(`data-${name}`, holds);
}

/** A small picture from paths on a 16 by 16 grid. */
export function icon(path: string): SVGSVGElement {
  return makeSvg(
    'svg',
    { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', class: 'hg-icon' },
    makeSvg('path', { d: path }),
  );
}

/** A button with a name for everyone who cannot see its picture. */
export function iconButton(path: string, name: string, press: () => void): HTMLButtonElement {
  const button = make('button', {
    type: 'button',
    class: 'hg-button hg-button--icon',
    title: name,
    'aria-label': name,
  });
  button.append(icon(path));
  button.addEventListener('click', press);
  return button;
}

/** A field with its label: the label wraps it, so no ids are needed. */
export function labelled(text: string, field: HTMLElement): HTMLLabelElement {
  return make('label', { class: 'hg-field' }, make('span', { class: 'hg-field__name' }, text), field);
}

export function numberField(value: number, least: number, most: number): HTMLInputElement {
  return make('input', { type: 'number', value, min: least, max: most, step: 1, class: 'hg-input' });
}

/** What a number field says, kept within its bounds; its least value when it says nothing. */
export function numberOf(field: HTMLInputElement): number {
  const least = Number(field.min);
  const value = Math.trunc(field.valueAsNumber);
  return Number.isFinite(value) ? Math.min(Math.max(value, least), Number(field.max)) : least;
}

/**
 * Makes `parent`'s children follow `rows`: one element a key, made once, updated in place, moved only when the order
 * changes. Focus stays where it is as long as its row does.
 */
export function keyedRows<Row, RowElement extends Element>(
  parent: Element,
  key: (row: Row) => string | number,
  makeRow: (row: Row) => RowElement,
  updateRow: (element: RowElement, row: Row) => void,
): (rows: readonly Row[]) => void {
  let elements = new Map<string | number, RowElement>();
  return (rows) => {
    const kept = new Map<string | number, RowElement>();
    let before: Element | null = parent.firstElementChild;
    for (const row of rows) {
      const name = key(row);
      const element = elements.get(name) ?? makeRow(row);
      elements.delete(name);
      kept.set(name, element);
      updateRow(element, row);
      if (element === before) before = before.nextElementSibling;
      else parent.insertBefore(element, before);
    }
    for (const element of elements.values()) element.remove();
    elements = kept;
  };
}
