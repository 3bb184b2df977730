// VitePress' own theme, with a live heap on the front page: the glass, run by the reader's browser, beside the text.

import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineComponent, h, nextTick, onMounted, watch } from 'vue';
import './tokens.css'; // web/src/base, copied here by build.mjs
import './site.css';

const liveHeap = () =>
  h('div', { class: 'hg-live' }, [
    h('iframe', {
      class: 'hg-glass',
      src: './glass/index.html#scenario=adaptive_pool',
      title: 'A live heap: a pool fills, thins out and empties',
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
  return () => h(DefaultTheme.Layout, null, { 'home-hero-after': liveHeap });
});

export default { extends: DefaultTheme, Layout };
