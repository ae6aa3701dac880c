import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface PanelProps {
  icon: IconName;
  title: string;
  /** True if screen readers must speak the panel at once. */
  isAlert?: boolean;
  /** True if the panel is inside a part of the screen. */
  isPart?: boolean;
  /** The id of the title. */
  id?: string | undefined;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

/** A message in place of a table. */
export function Panel({ icon, title, isAlert = false, isPart = false, id, children, actions }: PanelProps) {
  // Not a heading inside a part, because its level could be wrong.
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
