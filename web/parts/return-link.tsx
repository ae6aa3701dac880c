import type { ComponentChildren } from 'preact';
import { keepAddress, returnUrl } from '../state/return-link.ts';

interface ReturnLinkProps {
  class?: string;
  children: ComponentChildren;
}

/** The platform later leads the user back here. Inside a frame, the link opens in the whole window. */
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
