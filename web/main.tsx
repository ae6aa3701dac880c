import { render } from 'preact';
import { App } from './frame/app.tsx';
import { restoreFocus } from './state/restore-focus.ts';
import { language } from './text/language.ts';

document.documentElement.lang = language;
const page = document.getElementById('page') as HTMLElement;

page.replaceChildren();
restoreFocus(page);
render(<App />, page);
