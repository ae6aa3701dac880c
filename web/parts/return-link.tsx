import type { ComponentChildren } from 'preact';
import { keepAddress, returnUrl } from '../state/return-link.ts';

interface ReturnLinkProps {
  class?: string;
  children: ComponentChildren;
}

/**
 * The way to the platform, which leads back here. In a frame, it is followed by the whole window. Nothing
 * where the operator has set none.
 */
export const ReturnLink = ({ class: name = '', children }: ReturnLinkProps) =>
  returnUrl === null ? null : (
    <a
      class={name}
      href={returnUrl}
      target={window.top === window ? '_self' : '_top'}
      onClick={keepAddress}
      onAuxClick={keepAddress}
    >
      {children}
    </a>
  );
