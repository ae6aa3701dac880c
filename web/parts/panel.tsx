import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface PanelProps {
  icon: IconName;
  title: string;
  isAlert?: boolean;
  isPart?: boolean;
  id?: string | undefined;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

export function Panel({ icon, title, isAlert = false, isPart = false, id, children, actions }: PanelProps) {
  // In a part of a screen, an <h2> could be at the wrong level.
  const Heading = isPart ? 'p' : 'h2';
  const name = `panel${isAlert ? ' panel-alert' : ''}${isPart ? ' panel-part' : ''}`;
  return (
    <section class={name} {...(isAlert && { role: 'alert' })}>
      <div class="panel-icon">
        <Icon name={icon} />
      </div>
      <div class="panel-body">
        <Heading id={id} class="panel-title">
          {title}
        </Heading>
        {children}
        {actions && <div class="actions">{actions}</div>}
      </div>
    </section>
  );
}
