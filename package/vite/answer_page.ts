// In a worker: the page can attach to what is recorded here (workers.ts).

import { unguessableName } from '../../web/src/base/unguessable.ts';
import { fetchText, sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';
import { recorders } from '../../web/src/instrument/installed.ts';
import { answerGlasses } from '../../web/src/live/connect.ts';
import { isAsked, kChannel } from './workers.ts';

export function answerPage(): void {
  const answered: string[] = []; // in the order of recorders
  const title = self.name === '' ? 'a worker' : `worker ${self.name}`;
  const channel = new BroadcastChannel(kChannel);

  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isAsked(data)) return;
    for (const recorder of recorders.slice(answered.length)) {
      const name = unguessableName();
      answered.push(name);
      answerGlasses(name, title, recorder);
    }
    for (const name of answered) channel.postMessage({ name, title });
  };
  handleWatch().resolveBy(sourcePlaces(fetchText));
}
