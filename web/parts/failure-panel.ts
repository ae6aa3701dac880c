import { type ComponentChildren, h } from 'preact';
import type { Failure, FailureKind } from '../state/failure.ts';
import type { Retry } from '../state/use-load.ts';
import { CopyButton } from './copy-button.ts';
import type { IconName } from './icon.ts';
import { Panel } from './panel.ts';
import { RetryNotice } from './retry-notice.ts';

const ICONS: Readonly<Record<FailureKind, IconName>> = {
  unreachable: 'offline',
  'signed-out': 'key',
  cursor: 'clock',
  'not-found': 'search',
  refused: 'warning',
  busy: 'clock',
  service: 'warning',
};

interface FailurePanelProps {
  failure: Failure;
  /** When the page retries, if it does. */
  retry: Retry | undefined;
  /** Shows a button to try again, if there are no other actions. */
  onRetry?: () => void;
  actions?: ComponentChildren;
}

/** A failure with the texts of the service, its code and its request id. */
export function FailurePanel({ failure, retry, onRetry, actions }: FailurePanelProps) {
  const { kind, title } = failure;
  const again =
    onRetry && h('button', { type: 'button', class: 'button button-primary', onClick: onRetry }, 'Try again');
  return h(
    Panel,
    { icon: ICONS[kind], title, isAlert: true, actions: actions ?? again },
    h(FailureText, { failure }),
    retry && h(RetryNotice, { retry }),
  );
}

/** The detail or each wrong parameter, a link to the code's page, and the request id. */
export function FailureText({ failure }: { failure: Failure }) {
  const { faults, code, requestId } = failure;
  return h(
    'div',
    { class: 'failure' },
    // The detail of a single one is that of the response.
    faults === undefined || faults.length === 1
      ? h('p', null, detailWithoutTitle(failure))
      : h(
          'ul',
          { class: 'faults' },
          faults.map((fault) =>
            h('li', { key: fault.parameter }, h('code', null, fault.parameter), ' ', fault.detail),
          ),
        ),
    (code !== undefined || requestId !== undefined) &&
      h(
        'p',
        { class: 'failure-names' },
        code !== undefined &&
          h('a', { href: `/errors/${code}`, target: '_blank', rel: 'noreferrer' }, 'What this means'),
        requestId !== undefined &&
          h(
            'span',
            { class: 'request-id' },
            'Request id ',
            h('code', null, requestId),
            h(CopyButton, { text: requestId, name: 'request id' }),
          ),
      ),
  );
}

/** Some details begin with their title, which is already shown above them. */
function detailWithoutTitle({ title, detail }: Failure): string {
  const rest = detail.startsWith(`${title}.`) ? detail.slice(title.length + 1).trim() : '';
  return rest === '' ? detail : rest;
}
