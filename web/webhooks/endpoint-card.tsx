import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookEndpoint, WebhookTestResult } from '../../client/src/webhook-endpoint.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { FailureText } from '../parts/failure-panel.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { counted, number } from '../text/count.ts';
import { FailuresSection } from './failures-section.tsx';
import type { WebhookApi } from './webhook-api.ts';
import {
  type Condition,
  conditionOf,
  cutUrl,
  goesOnText,
  hostOf,
  lagText,
  MAX_FAILURES,
  nameOf,
  testText,
  typesText,
} from './webhook-text.ts';

interface EndpointCardProps {
  api: WebhookApi;
  webhook: WebhookEndpoint;
  /** Another one loads the failures again. */
  version: string;
  onReload(): void;
}

/** What the last click on a button of the endpoint did. */
type Result =
  | { state: 'none' }
  | { state: 'running'; text: string }
  | { state: 'tested'; result: WebhookTestResult }
  | { state: 'enabled' }
  | { state: 'failed'; title: string; failure: Failure };

/** One endpoint: where it is, how it does, and what can be done. */
export function EndpointCard(props: EndpointCardProps) {
  const { api, version, onReload } = props;
  // What the user did here is shown until the screen loads the endpoint again.
  const [changed, setChanged] = useState<WebhookEndpoint>();
  const [result, setResult] = useState<Result>({ state: 'none' });
  const [loaded, setLoaded] = useState(props.webhook);
  // In the same rendering, and not in an effect, so that it is never shown beside what was loaded after it.
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
    run('Waiting for the receiver, at most 15 seconds\u2026', 'The test was not sent', async () => ({
      state: 'tested',
      result: await api.test(webhook.id),
    }));
  const enable = () =>
    run('Enabling the endpoint\u2026', 'The endpoint was not enabled', async () => {
      setChanged(await api.enable(webhook.id));
      return { state: 'enabled' };
    });

  const headingId = `endpoint-${webhook.id}`;
  return (
    <section class="endpoint" aria-labelledby={headingId}>
      <div class="endpoint-head">
        <h2 id={headingId}>{name}</h2>
        <ConditionBadge condition={conditionOf(webhook)} />
        <EndpointUrl url={webhook.url} name={name} />
      </div>
      <Advice webhook={webhook} />
      <Fields webhook={webhook} />
      <div class="endpoint-actions">
        {webhook.failureCount > 0 &&
          button(
            isOpen ? 'Hide the failures' : `Show ${counted(webhook.failureCount, 'failure')}`,
            `of ${name}`,
            () => setIsOpen(!isOpen),
            { 'aria-expanded': isOpen },
          )}
        {button('Send a test', `to ${name}`, test, { 'aria-disabled': isRunning })}
        {webhook.state === 'disabled' &&
          button('Enable again', `(${name})`, enable, { 'aria-disabled': isRunning })}
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

/** `of` continues the label for screen readers, so that each button has its own name. */
const button = (label: string, of: string, onClick: () => void, attributes: object) => (
  <Button onClick={onClick} {...attributes}>
    {label}
    <span class="visually-hidden"> {of}</span>
  </Button>
);

const MARKS: Readonly<Record<Condition['kind'], [mark: string, icon: IconName]>> = {
  enabled: ['completed', 'check'],
  failing: ['pending', 'warning'],
  full: ['pending', 'warning'],
  requested: ['other', 'dot'],
  gone: ['bad', 'warning'],
  'gave-up': ['bad', 'warning'],
};

function ConditionBadge({ condition: { kind, title } }: { condition: Condition }) {
  const [mark, icon] = MARKS[kind];
  return (
    <span class={`status status-${mark}`}>
      <Icon name={icon} />
      {title}
    </span>
  );
}

/** On paper, the whole URL is shown. */
function EndpointUrl({ url, name }: { url: string; name: string }) {
  return (
    <p class="endpoint-url">
      <code class="url-cut" title={url}>
        {cutUrl(url)}
      </code>
      <code class="url-whole" aria-hidden="true">
        {url}
      </code>
      <CopyButton text={url} name={`the URL of ${name}`} />
    </p>
  );
}

/** Why an endpoint gets nothing, and what its owner can do. */
function Advice({ webhook }: { webhook: WebhookEndpoint }) {
  const { kind } = conditionOf(webhook);
  const at = (timestamp: string | null) =>
    timestamp === null ? 'an unknown time' : <Timestamp timestamp={timestamp} />;
  const repair = `Tell the developer of ${hostOf(webhook.url)} to repair it`;
  const goesOn = `${goesOnText(webhook)} Nothing is lost.`;
  const advice = (mark: 'waiting' | 'bad' | 'neutral', ...text: ComponentChildren[]) => (
    <p class={`endpoint-advice endpoint-advice-${mark}`}>{text}</p>
  );
  if (kind === 'failing') {
    const { ordered, failingSince } = webhook;
    return advice(
      'waiting',
      'Every attempt has failed since ',
      at(failingSince),
      `. ${repair}. The service goes on trying with one change, and sends the rest after its first success: nothing is lost. `,
      ordered && 'Because changes are delivered in order, none passes the one that fails. ',
      'After five days without a success, the service disables the endpoint.',
    );
  }
  if (kind === 'full') {
    return advice(
      'waiting',
      `${number(MAX_FAILURES)} failures are kept, which is the most: changes are now delivered one after another, and one that fails delays the rest. Correct what the receiver refuses, then retry the failures.`,
    );
  }
  if (kind === 'gave-up') {
    return advice(
      'bad',
      'Every attempt failed for five days, so the service disabled the endpoint on ',
      at(webhook.disabledAt),
      `. ${repair}, then send a test and enable the endpoint again. ${goesOn}`,
    );
  }
  if (kind === 'gone') {
    return advice(
      'bad',
      'The receiver answered 410 Gone on ',
      at(webhook.disabledAt),
      `, which means that it wants no more webhooks. If that is right, delete the endpoint through the API. Otherwise: ${repair}, then send a test and enable the endpoint again. ${goesOn}`,
    );
  }
  if (kind === 'requested') {
    return advice(
      'neutral',
      'Disabled by a request to the API on ',
      at(webhook.disabledAt),
      `. Enable the endpoint when its receiver is ready. ${goesOn}`,
    );
  }
  return null;
}

interface FieldsProps {
  webhook: WebhookEndpoint;
}

function Fields({ webhook }: FieldsProps) {
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
        'Reached',
        acknowledgedSequence === 0 ? 'Before the first change' : `Change ${number(acknowledgedSequence)}`,
        lagText(webhook),
      )}
      {field(
        'Failures',
        failureCount === 0 ? 'None' : counted(failureCount, 'change'),
        failureCount > 0 && 'Not delivered',
      )}
      {field('Delivers', typesText(types), types !== null && 'No other changes')}
      {field(
        'Order',
        ordered ? 'Kept' : 'Not kept',
        ordered ? 'One that fails delays all later ones' : 'One that fails delays no other',
      )}
      {field(
        'Signed',
        publicKey === null ? `With a secret (${signing})` : `With a secret key of the service (${signing})`,
        publicKey === null ? (
          'The receiver has the secret too'
        ) : (
          <span class="endpoint-id">
            <code>{publicKey}</code>
            <CopyButton text={publicKey} name={`the public key of ${nameOf(webhook)}`} />
          </span>
        ),
      )}
      {field(
        'Created',
        <Timestamp timestamp={createdAt} />,
        <span class="endpoint-id">
          <code>{id}</code>
          <CopyButton text={id} name={`the id of ${nameOf(webhook)}`} />
        </span>,
      )}
    </dl>
  );
}

function ResultText({ result, webhook }: { result: Result; webhook: WebhookEndpoint }) {
  if (result.state === 'none') return null;
  if (result.state === 'running') return <p>{result.text}</p>;
  if (result.state === 'enabled') return line('good', 'check', `Enabled. ${goesOnText(webhook)}`);
  if (result.state === 'tested')
    return result.result.delivered
      ? line('good', 'check', testText(result.result))
      : line('bad', 'warning', testText(result.result));
  const { title, failure } = result;
  return (
    <>
      {line('bad', 'warning', `${title}: ${failure.title}`)}
      <FailureText failure={failure} />
    </>
  );
}

const line = (mark: 'good' | 'bad', icon: IconName, text: string) => (
  <p class={`endpoint-line endpoint-line-${mark}`}>
    <Icon name={icon} />
    <span>{text}</span>
  </p>
);
