import { h, render } from 'preact';
import { App } from './parts/app.ts';
import { restoreFocus } from './state/restore-focus.ts';

const page = document.getElementById('page') as HTMLElement;
const statuses = document.querySelector<HTMLMetaElement>('meta[name="statuses"]')?.content.split(' ') ?? [];

page.replaceChildren();
restoreFocus(page);
render(h(App, { statuses }), page);
