// The panel in DevTools: a button that reloads the page recorded, a list of what is recorded, and <hg-glass>.
//
//   Record ─▶ reload with in_page.ts before the page's scripts ─▶ bridge.ts: here ─▶ pages.ts ─ a recorder ─▶ <hg-glass>
//
//   pa.1  A page is recorded from its reload on until it is left or reloaded. Nothing is switched on for other tabs, nor for later.
//   pa.2  A panel that opens late finds what the page has recorded by then.

import '../web/src/elements/define_glass.ts';
import { makeInstrument } from './instrumenter.ts';
import { isHere, kHere } from './messages.ts';
import { followPage, type Program } from './pages.ts';

const { inspectedWindow, panels } = chrome.devtools;
const find = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the panel has no ${id}`);
};
const record = find('record', HTMLButtonElement);
const callers = find('callers', HTMLInputElement);
const modules = find('modules', HTMLSelectElement);
const status = find('status', HTMLParagraphElement);
const problems = find('problems', HTMLUListElement);
const place = find('place', HTMLElement);

const theme = panels.themeName === 'dark' ? 'dark' : 'light';
let wantsCallers = false; // of the load that is recorded, whatever is checked since
const instrument = makeInstrument(() => wantsCallers);
let programs: readonly Program[] = [];
let shown: Program | undefined;
let isRecorded = false;

chrome.runtime.onMessage.addListener((message, { tab, frameId }, answer) => {
  if (!isHere(message) || tab?.id !== inspectedWindow.tabId || frameId === undefined) return;
  answer(true);
  isRecorded = true;
  followPage(chrome.tabs.connect(inspectedWindow.tabId, { frameId }), instrument, {
    come(program) {
      programs = [...programs, program];
      show(shown ?? program);
    },
    gone(program) {
      programs = programs.filter((each) => each !== program);
      show(shown === program ? programs[0] : shown);
    },
    problem: addProblem,
  });
  say();
});
record.addEventListener('click', () => void reload());
modules.addEventListener('change', () => show(programs[modules.selectedIndex]));
document.documentElement.style.colorScheme = theme;
say();
void chrome.tabs.sendMessage(inspectedWindow.tabId, kHere).catch(() => {}); // pa.2; a page of the browser's own has no bridge

async function reload(): Promise<void> {
  const scripts = ['in_page.js', 'in_worker.js'].map((name) => fetch(name).then((response) => response.text()));
  const [page, worker] = await Promise.all(scripts);
  problems.replaceChildren();
  problems.hidden = true;
  wantsCallers = callers.checked;
  inspectedWindow.reload({ injectedScript: `{ const kHeapglassWorker = ${JSON.stringify(worker)};\n${page}\n}` });
}

function show(program: Program | undefined): void {
  modules.replaceChildren(...programs.map(({ name }) => new Option(name)));
  modules.hidden = programs.length < 2;
  modules.selectedIndex = program === undefined ? -1 : programs.indexOf(program);
  say();
  if (program === shown) return;
  shown = program;
  place.replaceChildren();
  if (program === undefined) return;
  const glass = document.createElement('hg-glass');
  glass.theme = theme;
  glass.program = program;
  place.append(glass);
}

function say(): void {
  const [first, second] = programs;
  if (second !== undefined) status.textContent = `${programs.length} modules`;
  else if (first !== undefined) status.textContent = first.name;
  else if (isRecorded) status.textContent = 'No module of this page has begun so far.';
  else status.textContent = 'Record reloads the page, and the heap of each of its WebAssembly modules is shown here.';
}

function addProblem(text: string): void {
  if ([...problems.children].some((line) => line.textContent === text)) return;
  const line = document.createElement('li');
  line.textContent = text;
  problems.append(line);
  problems.hidden = false;
}
