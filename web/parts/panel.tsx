import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

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
  return (
    <section class={isAlert ? 'panel panel-alert' : 'panel'} {...(isAlert && { role: 'alert' })}>
      <div class="panel-icon">
        <Icon name={icon} />
      </div>
      <div class="panel-body">
        <h2>{title}</h2>
        {children}
        {actions && <div class="actions">{actions}</div>}
      </div>
    </section>
  );
}
