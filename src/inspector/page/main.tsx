// The entry of the inspector's page: connects to the stream and renders the page.
import { render } from 'preact';
import { App } from './app.tsx';
import { keepNextGate } from './state/gates.ts';
import { keepAnnounced } from './state/head.ts';
import { keepFocus } from './state/kept-focus.ts';
import { keepKeys } from './state/keys.ts';
import { keepPlaceInAddress } from './state/place.ts';
import { followRun } from './state/run.ts';
import { keepTheme } from './state/theme.ts';
import { keepTitle } from './state/title.ts';
import './style/colours.css';
import './style/frame.css';
import './style/parts.css';
import './style/panels.css';
import './style/head.css';
import './style/logs.css';
import './style/gate.css';
import './style/graph.css';
import './style/timeline.css';
import './style/runs.css';
import './style/touch.css';

keepTheme();
keepPlaceInAddress();
followRun();
keepTitle();
keepAnnounced();
keepNextGate();
keepKeys();

const page = document.getElementById('page');
if (page !== null) {
  render(<App />, page);
  keepFocus(page);
}
