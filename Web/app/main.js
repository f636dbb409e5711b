// @ts-check
import { Page } from './page/page.js';

await new Page().begin();
document.documentElement.dataset.ready = 'true';
