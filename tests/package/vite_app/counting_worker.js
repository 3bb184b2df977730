import { recorders } from 'heapglass/instrumented';
import { encodePictures } from './picture.js';

await encodePictures();
postMessage(recorders.length);
