// @ts-check
import { Page } from './page/page.js';
import { departed } from './session/departed-view.js';

if (await departed()) {
  // The worker has gone, but answers this page until it is loaded again.
  location.reload();
} else {
  await new Page().begin();
  document.documentElement.dataset.ready = 'true';
}
