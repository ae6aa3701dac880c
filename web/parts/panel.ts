import { type ComponentChildren, h } from 'preact';
import { Icon, type IconName } from './icon.ts';

interface PanelProps {
  icon: IconName;
  title: string;
  /** An alert is spoken at once. */
  isAlert?: boolean;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

/** What stands in the place of the table when there is none. */
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
