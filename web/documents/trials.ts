import { readTab, removeTab, writeTab } from '../state/storage.ts';
import { element } from './element.ts';

interface Trial {
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: string | undefined;
}

export function addTrials(): void {
  for (const trial of document.querySelectorAll<HTMLDetailsElement>('.trial')) {
    const form = trial.querySelector('form') as HTMLFormElement;
    trial.hidden = false;
    trial.open = keepKey(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}

const KEPT = 'key-of-trials';

function keepKey(form: HTMLFormElement): boolean {
  const key = form.querySelector<HTMLInputElement>('[data-in="key"]');
  const choice = form.querySelector<HTMLInputElement>('[data-keep]');
  if (key === null || choice === null) return false;
  const kept = readTab(KEPT);
  if (kept !== null) key.value = kept;
  choice.checked = kept !== null;
  const update = () => {
    const value = key.value.trim();
    if (choice.checked && value !== '') writeTab(KEPT, value);
    else removeTab(KEPT);
  };
  choice.addEventListener('change', update);
  key.addEventListener('change', update);
  return choice.checked;
}

function trialOf(form: HTMLFormElement): Trial {
  const trial: Trial = {
    path: form.dataset['path'] ?? '',
    query: new URLSearchParams(),
    headers: new Headers(),
    body: undefined,
  };
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    const { in: place, name = '' } = field.dataset;
    const value = place === 'body' ? field.value : field.value.trim();
    if (value === '') continue;
    if (place === 'path') trial.path = trial.path.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query') trial.query.append(name, value);
    else if (place === 'header') trial.headers.set(name, value);
    else if (place === 'key') trial.headers.set('authorization', `Bearer ${value}`);
    else trial.body = value;
  }
  if (trial.body !== undefined) trial.headers.set('content-type', form.dataset['type'] ?? '');
  return trial;
}

const MAX_SHOWN = 100_000;

async function send(form: HTMLFormElement): Promise<void> {
  const result = form.querySelector<HTMLElement>('.result');
  const button = form.querySelector('button');
  if (!result || !button) return;
  button.disabled = true;
  result.replaceChildren(element('p', {}, 'Waiting for the response.'));
  const startedAtMs = performance.now();
  try {
    const { path, query, headers, body } = trialOf(form);
    const address = query.size === 0 ? path : `${path}?${query}`;
    const response = await fetch(address, {
      method: form.dataset['method'] ?? 'GET',
      headers,
      ...(body !== undefined && { body }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
    const text = await response.text();
    const names = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    const milliseconds = Math.round(performance.now() - startedAtMs);
    result.replaceChildren(
      element('p', {}, `HTTP ${response.status} after ${milliseconds} ms: ${address}`),
      element('pre', {}, element('code', {}, `${names.join('\n')}\n\n${indented(text)}`)),
    );
  } catch (error) {
    result.replaceChildren(
      element('p', {}, `There is no response: ${error instanceof Error ? error.message : error}.`),
    );
  } finally {
    button.disabled = false;
  }
}

function indented(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // The text is not JSON, so it is shown as it is.
  }
  return shown.length > MAX_SHOWN
    ? `${shown.slice(0, MAX_SHOWN)}\n... ${shown.length} characters in all`
    : shown;
}
