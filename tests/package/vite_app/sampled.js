import './main.js';
import { recorders } from 'heapglass/instrumented';
import { encodePictures } from './picture.js';

const counting = new Worker(new URL('./counting_worker.js', import.meta.url), { type: 'module' });
const inWorker = await new Promise((resolve) => counting.addEventListener('message', ({ data }) => resolve(data)));
for (let nth = 0; nth < 3; ++nth) await encodePictures();
globalThis.shown = { found: globalThis.found, traces: recorders.map((one) => [...one.trace()]), inWorker };
