// @ts-check
import { ControlPanel } from './panel/control-panel.js';

await new ControlPanel().begin();
document.documentElement.dataset.ready = 'true';
