// Choosing what to look at: a real program, a scenario with a seed, the watched run of an experiment, a text of one's own, or a trace file. One button in the top bar that
// says what is shown now, and a panel below it.

import './scenarios.css';
import { keyedRows, labelled, make, numberField, numberOf, setText } from '../../dom/dom.ts';
import type { ScenarioInfo } from '../../protocol/messages.ts';

export interface ScenariosCallbacks {
  run(scenario: string, seed: number): void;
  openTrace(file: File): void;
  saveTrace(): void;
  /** To the word index panel. */
  words(): void;
}

/** Number of the panel among those of the page: the popover's id must be its own. */
let made = 0;

export function createScenarios(parent: Element, callbacks: ScenariosCallbacks) {
  const id = `hg-scenarios-${made++}`;
  const title = make('span', { class: 'hg-scenarios__title' }, '…');
  const kind = make('span', { class: 'hg-dim' });
  const open = make(
    'button',
    { type: 'button', class: 'hg-button hg-scenarios__open', popovertarget: id },
    kind,
    title,
  );
  let current = '';
  const group = (name: string, modifier: string) =>
    createGroup(
      name,
      modifier,
      () => current,
      (id) => {
        panel.hidePopover();
        callbacks.run(id, numberOf(seed));
      },
    );
  const programs = group('Programs: type, and watch', 'programs');
  const scenariosOnly = group('Scenarios', 'scenarios');
  const experiments = group('Experiments, watched', 'experiments');
  const seed = numberField(1, 0, 0xffff_ffff);
  seed.classList.add('hg-scenarios__seed');
  const seedField = labelled('seed', seed);
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
    { class: 'hg-popover hg-scenarios__panel', id, popover: 'auto', role: 'dialog', 'aria-label': 'Scenario' },
    make(
      'div',
      { class: 'hg-scenarios__groups' },
      make('div', {}, programs.part, scenariosOnly.part),
      experiments.part,
    ),
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

  let listed: readonly ScenarioInfo[] = [];
  function showGroups(scenarios: readonly ScenarioInfo[]): void {
    listed = scenarios;
    programs.show(scenarios.filter((info) => info.program !== undefined));
    programs.part.hidden = scenarios.every((info) => info.program === undefined);
    scenariosOnly.show(
      scenarios.filter(
        (info) => info.experiment === undefined && info.program === undefined && info.scene === undefined,
      ),
    );
    experiments.show(scenarios.filter((info) => info.experiment !== undefined));
    scenariosOnly.part.hidden = wordIndex.hidden = scenarios.length === 0; // a glass that runs nothing
    experiments.part.hidden = scenarios.every((info) => info.experiment === undefined);
  }

  return {
    element,
    /** `shown` is the scenario's id, or '' when something else is shown under `name`. */
    update(scenarios: readonly ScenarioInfo[], shown: string, name: string, shownSeed: number | undefined): void {
      const changed = current !== shown;
      current = shown;
      if (changed || listed !== scenarios) showGroups(scenarios);
      setText(kind, shown === '' && scenarios.length === 0 ? 'program ' : 'scenario ');
      setText(title, scenarios.find((info) => info.id === shown)?.title ?? name);
      seedField.hidden = scenarios.length === 0;
      if (changed && shownSeed !== undefined) seed.value = String(shownSeed);
    },
    open: () => panel.showPopover(),
    openFile: () => file.click(),
    dispose(): void {
      element.remove();
    },
  };
}

/** Sources of one kind, as a list of buttons; the one that is shown is marked. */
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
