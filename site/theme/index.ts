// VitePress' own theme, with a live heap on the front page: the glass, run by the reader's browser, beside the text.

import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import './site.css';

const liveHeap = () =>
  h('div', { class: 'hg-live' }, [
    h('iframe', {
      class: 'hg-glass',
      src: './glass/index.html#scenario=adaptive_pool',
      title: 'A live heap: a pool fills, thins out and empties',
    }),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': liveHeap }),
};
