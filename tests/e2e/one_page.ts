// One page for all tests of a process that only look, in place of one each: going to another moment takes a seventh to a third of a
// start's processor time (docs/decisions/0021-test-steps.md).
//
//   test ──▶ goto('./#scenario=…')  the moment is replaced whole, as by a link that is pasted (web/src/moment/address.ts, A3)
//        ──▶ it looks, seeks, selects
//        ──▶ the page stays as it is, where nothing is left that no address names; else it is left, and the next test loads it anew
//
//   one.1  A test that is about the first load, a reload, storage, policies, files, a heap made by hand or another address takes a page
//          of its own: onOwnPage().
//   one.2  What a test changes of the browser (size, media, routes, what is pressed) is put back.
//   one.3  A test that fails ends its process, and with it the page.

import { isUntouched } from './left_behind.ts';
import { test as base } from './open.ts';

export * from './open.ts';
/** one.1 */
export { test as onOwnPage } from './open.ts';

export const test = base.extend({
  page: async ({ onePage, viewport }, use) => {
    await use(onePage);
    await onePage.unrouteAll({ behavior: 'wait' });
    await onePage.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
    if (viewport !== null) await onePage.setViewportSize(viewport);
    await onePage.mouse.move(0, 0);
    if (onePage.url() !== 'about:blank' && !(await onePage.evaluate(isUntouched))) await onePage.goto('about:blank');
  },
});
