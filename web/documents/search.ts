import { element } from './element.ts';
import {
  type Entry,
  type Found,
  findEntries,
  foundLength,
  nearQuery,
  type Term,
  termsOf,
} from './search-entries.ts';

const INDEX = '/guides/search.json';

export function addSearch(): void {
  const form = document.querySelector<HTMLFormElement>('header form');
  const input = form?.querySelector('input');
  const list = form?.querySelector<HTMLElement>('.found');
  if (!form || !input || !list) return;
  form.hidden = false;
  let loading: Promise<Entry[]> | undefined;
  const load = () => {
    loading ??= readIndex().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const show = async () => {
    const query = input.value.trim();
    const entries = query === '' ? [] : await load().catch(() => null);
    if (query !== input.value.trim()) return;
    list.replaceChildren(...shown(query, entries, searchFor));
    list.hidden = query === '';
  };
  const searchFor = (query: string) => {
    input.value = query;
    input.focus();
    void show();
  };
  input.addEventListener('focus', () => void load().catch(() => {}));
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => moveWithKeys(event, input, list));
  form.addEventListener('focusin', () => {
    list.hidden = input.value.trim() === '';
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target as Node)) list.hidden = true;
  });
  list.addEventListener('click', () => {
    list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

async function readIndex(): Promise<Entry[]> {
  const response = await fetch(INDEX);
  if (!response.ok) throw new Error(`${INDEX} has the status ${response.status}`);
  return response.json();
}

function shown(query: string, entries: Entry[] | null, searchFor: (query: string) => void): HTMLElement[] {
  if (entries === null) return [element('p', {}, 'The service does not answer. Try again.')];
  const terms = termsOf(query);
  const { found, isWhole } = findEntries(entries, terms);
  const links = found.map((one) => linkTo(one, terms));
  if (isWhole) return links;
  const near = nearQuery(entries, query);
  const meant = near === undefined ? [] : [' Did you mean ', toQuery(near, searchFor), '?'];
  return links.length === 0
    ? [
        element(
          'p',
          {},
          'No page has any of these words.',
          ...meant,
          ' All pages are in the ',
          toIndex(),
          '.',
        ),
      ]
    : [element('p', {}, 'No page has all of these words.', ...meant, ' The nearest:'), ...links];
}

function toQuery(query: string, searchFor: (query: string) => void): HTMLElement {
  const button = element('button', { type: 'button' }, query);
  button.addEventListener('click', (event) => {
    // A click that reaches the list closes it.
    event.stopPropagation();
    searchFor(query);
  });
  return button;
}

const toIndex = () => element('a', { href: '/guides' }, 'list of the guides');

const linkTo = ({ address, page, heading, excerpt }: Found, terms: readonly Term[]) =>
  element(
    'a',
    { href: address },
    element('strong', {}, heading),
    element('span', {}, page === heading ? '' : page),
    element('span', {}, ...marked(excerpt, terms)),
  );

const marked = (text: string, terms: readonly Term[]): (Node | string)[] =>
  text.split(/([\p{L}\p{N}_]+)/u).flatMap((part, index) => {
    const length = index % 2 === 0 ? 0 : foundLength(part, terms);
    return length === 0 ? part : [element('mark', {}, part.slice(0, length)), part.slice(length)];
  });

function moveWithKeys(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Escape') {
    // `focus` opens the list: close it again.
    input.focus();
    list.hidden = true;
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  }
}
