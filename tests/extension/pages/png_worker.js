import { encodePicture } from './png.js';

addEventListener('message', async () => postMessage(await encodePicture()));
