// Choosing what to look at: a real program, a scenario with a seed, the watched run of an experiment, a text of one's own, or a trace
// file. One button in the top bar that says what is shown now, and a panel below it.

import './scenarios.css';
import { keyedRows, labelled, make, numberField, numberOf, setText } from '../../dom/dom.ts';
import type { Source } from '../../moment/state.ts';
import type { ScenarioInfo } from '../../protocol/messages.ts';

export interface ScenariosCallbacks {
  run(scenario: string, seed: number): void;
  openTrace(file: File): void;
  saveTrace(): void;
  /** To the word index panel. */
  words(): void;
}

/** What a source is called before its name. */
const kKinds: Readonly<Record<Source['kind'], string>> = {
  scenario: 'scenario',
  words: 'text',
  trace: 'trace',
  script: 'script',
  live: 'program',
};

/** Number of the panel among those of the page: the popover's id must be its own. */
let made = 0;

export function createScenarios(parent: Element, callbacks: ScenariosCallbacks) {
  const id = `hg-scenarios-${made++}`;
  const title = make('span', { class: 'hg-scenarios__title' }, '…');
  const kind = make('span', { class: 'hg-dim hg-scenarios__kind' });
  const open = make(
    'button',
    { type: 'button', class: 'hg-button hg-scenarios__open', popovertarget: id },
    kind,
    title,
  );
  const seed = numberField(1, 0, 0xffff_ffff);
  seed.classList.add('hg-scenarios__seed');
  const seedField = labelled('seed', seed);
  const groups = createGroups((scenario) => {
    panel.hidePopover();
    callbacks.run(scenario, numberOf(seed));
  });
  const file = makeFile(callbacks.openTrace);
  const action = (name: string, press: () => void) => {
    const button = make('button', { type: 'button', class: 'hg-button' }, name);
    button.addEventListener('click', () => {
      panel.hidePopover();
      press();
    });
    return button;
  };
  const wordIndex = action('Word index…', () => callbacks.words());
  const panel = make(
    'div',
    { class: 'hg-popover hg-scenarios__panel', id, popover: 'auto', role: 'dialog', 'aria-label': 'Scenario or trace' },
    groups.element,
    make(
      'div',
      { class: 'hg-scenarios__foot' },
      seedField,
      action('Open a trace…', () => file.click()),
      action('Save the trace', () => callbacks.saveTrace()),
      wordIndex,
      file,
    ),
  );
  const element = make('div', { class: 'hg-scenarios' }, open, panel);
  parent.append(element);

  return {
    element,
    update(scenarios: readonly ScenarioInfo[], source: Source): void {
      const shown = source.kind === 'scenario' ? source.id : '';
      const info = scenarios.find(({ id }) => id === shown);
      const changed = groups.show(scenarios, shown);
      setText(kind, `${info?.scene === undefined ? kKinds[source.kind] : 'scene'} `);
      setText(title, source.kind === 'scenario' ? (info?.title ?? '') : source.name);
      seedField.hidden = wordIndex.hidden = scenarios.length === 0; // a glass that runs nothing
      if (changed && source.kind === 'scenario') seed.value = String(source.seed);
    },
    open: () => panel.showPopover(),
    openFile: () => file.click(),
    dispose(): void {
      element.remove();
    },
  };
}

/** All that can be run, in three lists. */
function createGroups(run: (scenario: string) => void) {
  let current = '';
  let listed: readonly ScenarioInfo[] = [];
  const group = (name: string, modifier: string) => createGroup(name, modifier, () => current, run);
  const programs = group('Programs: type, and watch', 'programs');
  const plain = group('Scenarios', 'scenarios');
  const experiments = group('Experiments, watched', 'experiments');
  return {
    element: make(
      'div',
      { class: 'hg-scenarios__groups' },
      make('div', {}, programs.part, plain.part),
      experiments.part,
    ),
    /** `shown`: the scenario's id, '' when something else is shown. Whether that is another one than before. */
    show(scenarios: readonly ScenarioInfo[], shown: string): boolean {
      const changed = current !== shown;
      if (!changed && listed === scenarios) return false;
      current = shown;
      listed = scenarios;
      const isPlain = ({ experiment, program, scene }: ScenarioInfo) =>
        experiment === undefined && program === undefined && scene === undefined;
      programs.show(scenarios.filter((info) => info.program !== undefined));
      programs.part.hidden = scenarios.every((info) => info.program === undefined);
      plain.show(scenarios.filter(isPlain));
      plain.part.hidden = scenarios.length === 0;
      experiments.show(scenarios.filter((info) => info.experiment !== undefined));
      experiments.part.hidden = scenarios.every((info) => info.experiment === undefined);
      return changed;
    },
  };
}

/** Scenarios of one kind, as a list of buttons; the one that is shown is marked. */
function createGroup(name: string, modifier: string, current: () => string, run: (scenario: string) => void) {
  const list = make('ul', { class: 'hg-scenarios__list hg-list', 'aria-label': name });
  const part = make(
    'section',
    { class: `hg-scenarios__group hg-scenarios__group--${modifier}` },
    make('h2', { class: 'hg-heading' }, name),
    list,
  );
  const show = keyedRows<ScenarioInfo, HTMLLIElement>(
    list,
    (info) => info.id,
    (info) => {
      const button = make(
        'button',
        {
          type: 'button',
          class: 'hg-scenarios__row hg-row',
          'data-scenario': info.id,
          disabled: info.unavailable !== undefined,
        },
        make('strong', {}, info.title),
        make('span', {}, info.unavailable ?? info.summary),
      );
      button.addEventListener('click', () => run(info.id));
      return make('li', {}, button);
    },
    (item, info) => {
      const button = item.firstElementChild;
      if (info.id === current()) button?.setAttribute('aria-current', 'true');
      else button?.removeAttribute('aria-current');
    },
  );
  return { part, show };
}

function makeFile(open: (file: File) => void): HTMLInputElement {
  const file = make('input', {
    type: 'file',
    accept: '.hgtrace',
    class: 'hg-hidden',
    tabindex: -1,
    'aria-hidden': 'true',
  });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen !== undefined) open(chosen);
    file.value = '';
  });
  return file;
}
