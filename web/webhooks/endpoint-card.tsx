import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookEndpoint, WebhookTestResult } from '../../client/src/webhook-endpoint.ts';
import { MAX_FAILURES } from '../../values/interface/limits.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { counted, number } from '../text/count.ts';
import { labels } from '../text/labels.ts';
import { type Condition, conditionOf } from './condition.ts';
import { texts } from './endpoint-texts.ts';
import { FailuresSection } from './failures-section.tsx';
import type { WebhookApi } from './webhook-api.ts';
import { cutUrl, goesOnText, hostOf, lagText, nameOf, testText, typesText } from './webhook-text.ts';

interface EndpointCardProps {
  api: WebhookApi;
  webhook: WebhookEndpoint;
  /** When this changes, the failures are loaded again. */
  version: string;
  onReload(): void;
}

type Result =
  | { state: 'none' }
  | { state: 'running'; text: string }
  | { state: 'tested'; result: WebhookTestResult }
  | { state: 'enabled' }
  | { state: 'failed'; title: string; failure: Failure };

export function EndpointCard(props: EndpointCardProps) {
  const { api, version, onReload } = props;
  const [changed, setChanged] = useState<WebhookEndpoint>();
  const [result, setResult] = useState<Result>({ state: 'none' });
  const [loaded, setLoaded] = useState(props.webhook);
  // Runs during rendering and not in an effect, so that an old result is never shown next to newer data.
  if (loaded !== props.webhook) {
    setLoaded(props.webhook);
    setChanged(undefined);
    setResult((before) => (before.state === 'running' ? before : { state: 'none' }));
  }
  const webhook = changed ?? props.webhook;
  const [isOpen, setIsOpen] = useState(false);
  const name = nameOf(webhook);
  const isRunning = result.state === 'running';

  const run = async (text: string, title: string, action: () => Promise<Result>) => {
    if (isRunning) return;
    setResult({ state: 'running', text });
    try {
      setResult(await action());
    } catch (error) {
      const failure = failureOf(error);
      setResult({ state: 'failed', title, failure });
      endIfRefused(failure);
    }
  };
  const test = () =>
    run(texts.$waitingForReceiver, texts.$testNotSent, async () => ({
      state: 'tested',
      result: await api.test(webhook.id),
    }));
  const enable = () =>
    run(texts.$enabling, texts.$notEnabled, async () => {
      setChanged(await api.enable(webhook.id));
      return { state: 'enabled' };
    });

  const headingId = `endpoint-${webhook.id}`;
  return (
    <section class="endpoint" aria-labelledby={headingId}>
      <div class="endpoint-head">
        <h2 id={headingId}>{name}</h2>
        <ConditionBadge webhook={webhook} />
        <EndpointUrl url={webhook.url} name={name} />
      </div>
      <Advice webhook={webhook} />
      <Fields webhook={webhook} />
      <div class="endpoint-actions">
        {webhook.failureCount > 0 &&
          button(
            isOpen ? texts.$hideFailures : texts.$showFailures(counted(webhook.failureCount, texts.$failure)),
            texts.$ofEndpoint(name),
            () => setIsOpen(!isOpen),
            { 'aria-expanded': isOpen },
          )}
        {button(texts.$sendTest, texts.$toEndpoint(name), test, { 'aria-disabled': isRunning })}
        {webhook.state === 'disabled' &&
          button(texts.$enableAgain, ` (${name})`, enable, { 'aria-disabled': isRunning })}
        <div class="endpoint-result" role="status">
          <ResultText result={result} webhook={webhook} />
        </div>
      </div>
      {isOpen && (
        <FailuresSection api={api} webhook={webhook} name={name} version={version} onReload={onReload} />
      )}
    </section>
  );
}

/** `of` completes the label for screen readers, so that each button has a unique name. */
const button = (label: string, of: string, onClick: () => void, attributes: object) => (
  <Button onClick={onClick} {...attributes}>
    {label}
    <span class="visually-hidden">{of}</span>
  </Button>
);

const MARKS: Readonly<Record<Condition, [mark: string, icon: IconName, title?: string]>> = {
  enabled: ['completed', 'check', texts.$enabled],
  incomplete: ['pending', 'warning'],
  failing: ['pending', 'warning', texts.$failing],
  full: ['pending', 'warning'],
  requested: ['other', 'dot', texts.$disabled],
  gone: ['bad', 'warning', texts.$disabled],
  'gave-up': ['bad', 'warning', texts.$disabled],
};

function ConditionBadge({ webhook }: { webhook: WebhookEndpoint }) {
  const [mark, icon, title = counted(webhook.failureCount, texts.$failure)] = MARKS[conditionOf(webhook)];
  return (
    <span class={`status status-${mark}`}>
      <Icon name={icon} />
      {title}
    </span>
  );
}

function EndpointUrl({ url, name }: { url: string; name: string }) {
  return (
    <p class="endpoint-url">
      <code class="url-cut" title={url}>
        {cutUrl(url)}
      </code>
      <code class="url-whole" aria-hidden="true">
        {url}
      </code>
      <CopyButton text={url} name={texts.$theUrl(name)} />
    </p>
  );
}

function Advice({ webhook }: { webhook: WebhookEndpoint }) {
  const kind = conditionOf(webhook);
  const at = (timestamp: string | null) => timestamp && <Timestamp timestamp={timestamp} />;
  const host = hostOf(webhook.url);
  const goesOn = goesOnText(webhook);
  const advice = (mark: 'waiting' | 'bad' | 'neutral', text: ComponentChildren) => (
    <p class={`endpoint-advice endpoint-advice-${mark}`}>{text}</p>
  );
  const { ordered, failingSince, disabledAt } = webhook;
  if (kind === 'failing') return advice('waiting', texts.$failingAdvice(at(failingSince), host, ordered));
  if (kind === 'full') return advice('waiting', texts.$fullAdvice(number(MAX_FAILURES)));
  if (kind === 'gave-up') return advice('bad', texts.$gaveUpAdvice(at(disabledAt), host, goesOn));
  if (kind === 'gone') return advice('bad', texts.$goneAdvice(at(disabledAt), host, goesOn));
  if (kind === 'requested') return advice('neutral', texts.$requestedAdvice(at(disabledAt), goesOn));
  return null;
}

function Fields({ webhook }: { webhook: WebhookEndpoint }) {
  const { acknowledgedSequence, types, ordered, failureCount, signing, publicKey, createdAt, id } = webhook;
  const field = (term: string, value: ComponentChildren, note?: ComponentChildren) => (
    <div class="endpoint-field">
      <dt>{term}</dt>
      <dd>
        {value}
        {note && <span class="endpoint-note">{note}</span>}
      </dd>
    </div>
  );
  return (
    <dl class="endpoint-fields">
      {field(
        texts.$reached,
        acknowledgedSequence === 0 ? texts.$beforeFirst : texts.$changeOf(number(acknowledgedSequence)),
        lagText(webhook),
      )}
      {field(
        texts.$failures,
        failureCount === 0 ? texts.$noFailures : counted(failureCount, texts.$change),
        failureCount > 0 && texts.$notDelivered,
      )}
      {field(texts.$delivers, typesText(types), types !== null && texts.$noOtherChanges)}
      {field(
        texts.$order,
        ordered ? texts.$orderKept : texts.$orderNotKept,
        ordered ? texts.$delaysLater : texts.$delaysNone,
      )}
      {field(
        texts.$signed,
        publicKey === null ? texts.$withSecret(signing) : texts.$withServiceKey(signing),
        publicKey === null ? (
          texts.$receiverHasSecret
        ) : (
          <>
            <code>{publicKey}</code>
            <CopyButton text={publicKey} name={texts.$thePublicKey(nameOf(webhook))} />
          </>
        ),
      )}
      {field(
        labels.createdAt,
        <Timestamp timestamp={createdAt} />,
        <>
          <code>{id}</code>
          <CopyButton text={id} name={texts.$theId(nameOf(webhook))} />
        </>,
      )}
    </dl>
  );
}

function ResultText({ result, webhook }: { result: Result; webhook: WebhookEndpoint }) {
  if (result.state === 'none') return null;
  if (result.state === 'running') return <p>{result.text}</p>;
  if (result.state === 'enabled') return line('good', 'check', texts.$enabledNow(goesOnText(webhook)));
  if (result.state === 'tested')
    return result.result.delivered
      ? line('good', 'check', testText(result.result))
      : line('bad', 'warning', testText(result.result));
  const { title, failure } = result;
  return <FailurePanel failure={failure} missing={(cause) => texts.$failedBecause(title, cause)} />;
}

const line = (mark: 'good' | 'bad', icon: IconName, text: string) => (
  <p class={`endpoint-line endpoint-line-${mark}`}>
    <Icon name={icon} />
    <span>{text}</span>
  </p>
);
