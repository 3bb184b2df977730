// axe on a page, in the page alone. Else its builder opens another page for each analysis, to put together what axe says of the frames of
// other origins, and we have none: a quarter of the processor time of tests/e2e/accessibility.spec.ts.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export const axeOn = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode(true);
