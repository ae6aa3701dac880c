import type { ComponentProps } from 'preact';

interface ButtonProps extends ComponentProps<'button'> {
  class?: string;
  isPrimary?: boolean;
}

export const Button = ({ isPrimary = false, class: className = 'button', ...attributes }: ButtonProps) => (
  <button type="button" class={isPrimary ? 'button button-primary' : className} {...attributes} />
);
