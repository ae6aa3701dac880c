import { element } from './element.ts';

const SHOWN_MS = 2000;

/** Returns false over plain HTTP, where browsers have no clipboard. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function addCopying(): void {
  if (!('clipboard' in navigator)) return;
  for (const block of document.querySelectorAll('main pre')) addButton(block);
  for (const anchor of document.querySelectorAll<HTMLAnchorElement>('a.anchor'))
    anchor.addEventListener('click', () => void copied(anchor.href));
}

function addButton(block: Element): void {
  const button = element('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    button.textContent = (await copied(block.textContent.trimEnd())) ? 'Copied' : 'Not copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SHOWN_MS);
  });
  const around = element('div', { class: 'code' });
  block.replaceWith(around);
  around.append(block, button);
}
