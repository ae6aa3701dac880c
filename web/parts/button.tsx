import type { ComponentProps } from 'preact';

interface ButtonProps extends ComponentProps<'button'> {
  class?: string;
  /** True if it is the one that most people want. */
  isPrimary?: boolean;
}

/** A button that submits no form. */
export const Button = ({ isPrimary = false, class: className = 'button', ...attributes }: ButtonProps) => (
  <button type="button" class={isPrimary ? 'button button-primary' : className} {...attributes} />
);
