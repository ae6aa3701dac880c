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
  script: 'warning',
  service: 'warning',
};

export interface FailurePanelProps {
  failure: Failure;
  id?: string;
  retry?: Retry | undefined;
  /** Is present if only a part of the screen is missing. Returns a title that says which part. */
  missing?: ((title: string) => string) | undefined;
  again?: string;
  onRetry?: (() => void) | undefined;
  actions?: ComponentChildren;
}

export function FailurePanel(props: FailurePanelProps) {
  const { failure, id, retry, missing, again = texts.$tryAgain, onRetry, actions } = props;
  const isPart = missing !== undefined;
  const button = onRetry && (
    <Button isPrimary={!isPart} onClick={onRetry}>
      {again}
    </Button>
  );
  return (
    <Panel
      id={id}
      icon={ICONS[failure.kind]}
      title={missing?.(failure.title) ?? failure.title}
      isAlert={!isPart}
      isPart={isPart}
      actions={actions ?? button}
    >
      <FailureText failure={failure} />
      {retry && <RetryNotice retry={retry} />}
    </Panel>
  );
}

export function FailureText({ failure }: { failure: Failure }) {
  const { faults, code, requestId } = failure;
  return (
    <div class="failure">
      {/* If there is only one fault, the detail of the response describes it. */}
      {faults === undefined || faults.length === 1 ? (
        <p>{detailWithoutTitle(failure)}</p>
      ) : (
        <ul class="faults">
          {faults.map((fault) => (
            <li key={fault.parameter}>
              <code>{texts.$named(fault.parameter)}</code> {fault.detail}
            </li>
          ))}
        </ul>
      )}
      {(code !== undefined || requestId !== undefined) && (
        <p class="failure-names">
          {code !== undefined && (
            <a href={`/errors/${code}`} hreflang="en" target="_blank" rel="noreferrer">
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

function detailWithoutTitle({ title, detail }: Failure): string {
  const rest = detail.startsWith(`${title}.`) ? detail.slice(title.length + 1).trim() : '';
  return rest === '' ? detail : rest;
}

const TICK_MS = 250;

/** Screen readers speak the sentence, but not each second of the countdown. */
function RetryNotice({ retry: { atMs, isRunning } }: { retry: Retry }) {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(performance.now()), TICK_MS);
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
