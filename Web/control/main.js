// @ts-check
import { leaving } from '../app/session/departure.js';
import { ControlPanel } from './panel/control-panel.js';

// Somebody signed out here without a connection: the page tells the server first.
if (leaving() !== undefined) {
  location.replace('/');
} else {
  await new ControlPanel().begin();
  document.documentElement.dataset.ready = 'true';
}
