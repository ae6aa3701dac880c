import { type ComponentChildren, h } from 'preact';
import { Icon, type IconName } from './icon.ts';

interface PanelProps {
  icon: IconName;
  title: string;
  /** Screen readers speak an alert at once. */
  isAlert?: boolean;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

/** A message in place of the table. */
export function Panel({ icon, title, isAlert = false, children, actions }: PanelProps) {
  return h(
    'section',
    { class: isAlert ? 'panel panel-alert' : 'panel', ...(isAlert && { role: 'alert' }) },
    h('div', { class: 'panel-icon' }, h(Icon, { name: icon })),
    h(
      'div',
      { class: 'panel-body' },
      h('h2', null, title),
      children,
      actions && h('div', { class: 'actions' }, actions),
    ),
  );
}
