import { encodePictures } from './picture.js';

postMessage(await encodePictures());
