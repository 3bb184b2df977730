// Before a worker's own code in a build: its modules have their recorders, and the page can attach to them.

import { answerPage } from './answer_page.ts';

answerPage();
