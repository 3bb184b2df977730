// VitePress' own theme. Its front page is the glass itself, run by the reader's browser, at the moment that it opens with: a growth of
// SQLite's heap, explained. Above it one sentence says what it is, and four doors lead on.

import { useData } from 'vitepress';
import DefaultTheme, { VPButton } from 'vitepress/theme';
import { defineComponent, h, nextTick, onMounted, watch } from 'vue';
import './tokens.css'; // web/src/base, copied here by build.mjs
import './site.css';

/** What index.md says above the glass. */
interface Front {
  readonly title: string;
  readonly tagline: string;
  readonly actions: readonly Record<string, string>[];
}

const front = ({ title, tagline, actions }: Front) =>
  h('div', { class: 'hg-front' }, [
    h('div', { class: 'hg-front__words' }, [h('h1', title), h('p', tagline)]),
    h(
      'div',
      { class: 'hg-front__actions' },
      actions.map((action) => h(VPButton, { size: 'medium', ...action })),
    ),
    h('iframe', {
      class: 'hg-glass',
      src: './glass/index.html',
      title: 'A live heap: SQLite, and why its memory grew',
    }),
  ]);

/** The default theme's front page has no main landmark; its other pages have a `<main>`. */
function markMain(isHome: boolean): void {
  const content = document.querySelector('#VPContent');
  if (isHome) content?.setAttribute('role', 'main');
  else content?.removeAttribute('role');
}

const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  const mark = () => markMain(frontmatter.value['layout'] === 'home');
  onMounted(mark);
  watch(frontmatter, () => nextTick(mark));
  const live = () => front(frontmatter.value['front'] as Front);
  return () => h(DefaultTheme.Layout, null, { 'home-hero-before': live });
});

export default { extends: DefaultTheme, Layout };
