import { read, write } from '../state/storage.ts';
import { element } from './element.ts';

const CHOSEN = 'form';

export function addForms(): void {
  const groups = [...document.querySelectorAll('.forms')].map(groupOf);
  const [first] = groups;
  if (first === undefined) return;
  const known = read(() => localStorage, CHOSEN);
  const [least = ''] = first.keys();
  const choose = (label: string) => {
    for (const group of groups)
      for (const [own, { button, form }] of group) {
        button.setAttribute('aria-pressed', String(own === label));
        form.hidden = own !== label;
      }
  };
  for (const group of groups)
    for (const [label, { button }] of group)
      button.addEventListener('click', () => {
        const top = button.getBoundingClientRect().top;
        choose(label);
        write(() => localStorage, CHOSEN, label);
        // Keeps the button in its place, because the blocks above it may have changed their heights.
        scrollBy(0, button.getBoundingClientRect().top - top);
      });
  choose(known !== null && first.has(known) ? known : least);
}

function groupOf(group: Element) {
  const forms = [...group.querySelectorAll<HTMLElement>('.form')].map((form) => {
    const title = form.querySelector('p');
    const label = title?.textContent ?? '';
    title?.remove();
    return [label, { form, button: element('button', { type: 'button' }, label) }] as const;
  });
  group.prepend(element('div', { class: 'choices' }, ...forms.map(([, { button }]) => button)));
  return new Map(forms);
}
