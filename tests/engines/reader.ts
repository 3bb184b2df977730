// What a reader does in a place: finds an element by what it is and what it says, also inside open shadow roots; presses, types, turns
// the wheel; and waits until the place has answered.

import { type Actions, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver';

/** Absent in the package's types. */
interface Scrolls {
  scroll(x: number, y: number, deltaX: number, deltaY: number, over: WebElement): Actions;
}

const kPatience = 60_000; // as long as a busy machine takes: nothing is measured by it

/** All elements of `css`, through open shadow roots, that are on the screen and say `words`: their label, or their text. */
const kFind = `
  const [css, words] = arguments;
  const found = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const said = element.getAttribute('aria-label') ?? element.textContent ?? '';
      if (element.matches(css) && element.checkVisibility() && (words === null || said.includes(words))) found.push(element);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return found;`;

export interface Reader {
  readonly driver: WebDriver;
  find(css: string, words?: string): Promise<WebElement>;
  /** What the element says, '' while there is none. */
  text(css: string): Promise<string>;
  attribute(css: string, name: string): Promise<string>;
  press(css: string, words?: string): Promise<void>;
  /** Into a text field, in the place of what is in it; then Enter. */
  enter(css: string, text: string): Promise<void>;
  /** Until `look` gives what `is` accepts; fails with what it gave last. */
  until<T>(what: string, look: () => Promise<T>, is: (value: T) => boolean): Promise<T>;
  wheel(css: string, delta: number): Promise<void>;
  /** Different colours of the first canvas of `css`: one while nothing is drawn. */
  colours(css: string): Promise<number>;
  /** A number for what it shows: another one when a pixel differs. */
  drawn(css: string): Promise<number>;
  /** A file dropped on the element, as from another window. */
  drop(css: string, name: string, bytes: Uint8Array): Promise<void>;
}

export function readerOf(driver: WebDriver): Reader {
  /** Firefox gives null where the document is replaced meanwhile. */
  const all = async (css: string, words?: string) =>
    (await driver.executeScript<WebElement[] | null>(kFind, css, words ?? null)) ?? [];
  async function until<T>(what: string, look: () => Promise<T>, is: (value: T) => boolean): Promise<T> {
    let value: T | undefined;
    const over = Date.now() + kPatience;
    do {
      value = await look();
      if (is(value)) return value;
      await driver.sleep(50);
    } while (Date.now() < over);
    throw new Error(`${what}: not so after ${kPatience / 1000} s, but ${JSON.stringify(value)}`);
  }
  async function find(css: string, words?: string): Promise<WebElement> {
    const found = await until(
      `${css} "${words ?? ''}"`,
      () => all(css, words),
      (list) => list.length > 0,
    );
    const [first] = found;
    if (first === undefined) throw new Error(css);
    return first;
  }
  /** WebKit's own click takes what lies in a frame or a shadow root for something behind something else, sometimes. */
  const press = async (css: string, words?: string) => {
    const element = await find(css, words);
    await element.click().catch((reason: unknown) => {
      if (!(reason instanceof error.ElementClickInterceptedError)) throw reason;
      return driver.actions().move({ origin: element }).click().perform();
    });
  };
  const text = async (css: string) => {
    const [first] = await all(css);
    return first === undefined ? '' : driver.executeScript<string>('return arguments[0].innerText', first);
  };
  /** What an expression says of the pixels of a canvas, 0 of none. */
  const pixels = async (css: string, expression: string) =>
    driver.executeScript<number>(
      `const canvas = arguments[0];
       if (canvas.width === 0 || canvas.height === 0) return 0;
       const copy = document.createElement('canvas');
       copy.width = canvas.width;
       copy.height = canvas.height;
       const context = copy.getContext('2d', { willReadFrequently: true });
       context.drawImage(canvas, 0, 0);
       const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
       return ${expression};`,
      await find(css),
    );
  return {
    driver,
    find,
    until,
    text,
    async attribute(css, name) {
      const [first] = await all(css);
      return first === undefined
        ? ''
        : ((await driver.executeScript<string | null>('return arguments[0].getAttribute(arguments[1])', first, name)) ??
            '');
    },
    press,
    async enter(css, text) {
      await press(css);
      await driver.actions().keyDown(Key.CONTROL).sendKeys('a').keyUp(Key.CONTROL).sendKeys(text, Key.ENTER).perform();
    },
    async wheel(css, delta) {
      const actions = driver.actions() as Actions & Scrolls;
      await actions.scroll(0, 0, 0, delta, await find(css)).perform();
      await driver.actions().clear(); // WebKit's driver turns no wheel by as much as the last time
    },
    colours: (css) => pixels(css, 'new Set(pixels).size'),
    drawn: (css) => pixels(css, 'pixels.reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 0)'),
    async drop(css, name, bytes) {
      await driver.executeScript(
        `const [element, name, text] = arguments;
         const transfer = new DataTransfer();
         transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
         for (const type of ['dragenter', 'dragover', 'drop'])
           element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer: transfer }));`,
        await find(css),
        name,
        Buffer.from(bytes).toString('base64'),
      );
    },
  };
}
