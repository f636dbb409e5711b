// @ts-check
import { leaving } from '../app/session/departure.js';
import { ControlPanel } from './panel/control-panel.js';

// An account was signed out in this browser without a connection: the map's page sends that to the server before anything else opens.
if (leaving() !== undefined) {
  location.replace('/');
} else {
  await new ControlPanel().begin();
  document.documentElement.dataset.ready = 'true';
}
