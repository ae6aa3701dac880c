import { h, render } from 'preact';
import { App } from './parts/app.ts';

const page = document.getElementById('page') as HTMLElement;
const statuses = document.querySelector<HTMLMetaElement>('meta[name="statuses"]')?.content.split(' ') ?? [];

page.replaceChildren();
render(h(App, { statuses }), page);
