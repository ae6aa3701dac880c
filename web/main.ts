import { h, render } from 'preact';
import { App } from './parts/app.ts';
import { restoreFocus } from './state/restore-focus.ts';

const page = document.getElementById('page') as HTMLElement;

page.replaceChildren();
restoreFocus(page);
render(h(App, null), page);
