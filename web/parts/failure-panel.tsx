import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure, FailureKind } from '../state/failure.ts';
import type { Retry } from '../state/use-load.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import type { IconName } from './icon.tsx';
import { Panel } from './panel.tsx';

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
  const again = onRetry && (
    <Button isPrimary onClick={onRetry}>
      {texts.$tryAgain}
    </Button>
  );
  return (
    <Panel icon={ICONS[kind]} title={title} isAlert actions={actions ?? again}>
      <FailureText failure={failure} />
      {retry && <RetryNotice retry={retry} />}
    </Panel>
  );
}

/** The detail or each wrong parameter, a link to the code's page, and the request id. */
export function FailureText({ failure }: { failure: Failure }) {
  const { faults, code, requestId } = failure;
  return (
    <div class="failure">
      {/* The detail of a single one is that of the response. */}
      {faults === undefined || faults.length === 1 ? (
        <p>{detailWithoutTitle(failure)}</p>
      ) : (
        <ul class="faults">
          {faults.map((fault) => (
            <li key={fault.parameter}>
              <code>{fault.parameter}</code> {fault.detail}
            </li>
          ))}
        </ul>
      )}
      {(code !== undefined || requestId !== undefined) && (
        <p class="failure-names">
          {code !== undefined && (
            <a href={`/errors/${code}`} target="_blank" rel="noreferrer">
              {texts.$whatThisMeans}
            </a>
          )}
          {requestId !== undefined && (
            <span class="request-id">
              {texts.$requestId} <code>{requestId}</code>
              <CopyButton text={requestId} name={texts.$nameRequestId} />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Some details begin with their title, which is already shown above them. */
function detailWithoutTitle({ title, detail }: Failure): string {
  const rest = detail.startsWith(`${title}.`) ? detail.slice(title.length + 1).trim() : '';
  return rest === '' ? detail : rest;
}

const TICK_MS = 250;

/** Says when the page retries. Screen readers speak the sentence, but not every second of the countdown. */
export function RetryNotice({ retry: { atMs, isRunning } }: { retry: Retry }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  const seconds = Math.max(1, Math.ceil((atMs - nowMs) / 1000));
  return (
    <p class="retry">
      {texts.$retries}
      <span aria-hidden="true">{isRunning ? texts.$retriesNow : texts.$retriesIn(seconds)}</span>
    </p>
  );
}
