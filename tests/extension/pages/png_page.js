import { encodePicture } from './png.js';

globalThis.found = await encodePicture();
