import type { Config } from '../../../config/settings.ts';
import { LABEL_MAX_CHARACTERS } from '../../../keys/api-key.ts';
import { type WebhookSettings, webhookSender } from '../../../service/webhook-sender.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import type { FaultList } from '../../../values/fault-list.ts';
import type { FieldFault } from '../../../values/field-fault.ts';
import { sentence } from '../../../values/sentence.ts';
import { isWebhookId } from '../../../webhooks/new-webhook.ts';
import type { WebhookRules } from '../../../webhooks/webhook-fields.ts';

/** The fields of an endpoint as options; undefined for those that are not given. */
export interface FieldOptions {
  url?: string;
  types?: string;
  /** False for --no-label. */
  label?: string | false;
  ordered?: boolean;
  signing?: string;
}

const ALL_TYPES = 'all';

/** What the help says of an option that several commands have. */
export const TYPES_TEXT = `the types that are sent, such as transaction.completed,transaction.pending, or ${ALL_TYPES}`;
export const LABEL_TEXT = `what the endpoint is for, at most ${LABEL_MAX_CHARACTERS} characters`;

/** The fields that options name, in the form in which a request has them. */
export function writtenFields({
  url,
  types,
  label,
  ordered,
  signing,
}: FieldOptions): Record<string, unknown> {
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: types === ALL_TYPES ? null : types.split(',') }),
    ...(label !== undefined && { label: label === false ? null : label }),
    ...(ordered !== undefined && { ordered }),
    ...(signing !== undefined && { signing }),
  };
}

/** The rules for the fields of an endpoint. The fault of a URL names the settings that could allow it. */
export function commandRules(config: WebhookSettings & Pick<Config, 'statuses'>): WebhookRules {
  const { explainUrl } = webhookSender(config);
  return {
    statuses: config.statuses,
    explainUrl: (url) => {
      const fault = explainUrl(url);
      const settings = settingsThatForbid(url, config);
      return settings === undefined ? fault : `${fault}. ${settings}`;
    },
  };
}

const EVERY_NETWORK = ['0.0.0.0/0', '::/0'];

/** A sentence, without its period, that names the settings that forbid a URL; undefined if it is allowed, or no setting can allow it. */
export function settingsThatForbid(url: string, config: WebhookSettings): string | undefined {
  const isForbidden = (changed: Partial<WebhookSettings>) =>
    webhookSender({ ...config, ...changed }).explainUrl(url) !== undefined;
  const [http, networks] = [{ webhookHttp: 'true' }, { webhookNetworks: EVERY_NETWORK }] as const;
  if (!isForbidden({}) || isForbidden({ ...http, ...networks })) return undefined;
  const needed = [
    ...(isForbidden(networks) ? ['WEBHOOK_HTTP=true'] : []),
    ...(isForbidden(http) ? ['WEBHOOK_NETWORKS with its address'] : []),
  ];
  return `A command uses the settings of the environment in which it runs, which allow this URL with ${needed.join(' and ')}`;
}

/**
 * The parsed fields.
 *
 * Throws: UsageError with a line for each fault.
 */
export function fieldsOrExplain<Fields>(
  parsed: { fields: Fields } | { faults: FaultList<FieldFault> },
): Fields {
  if ('fields' in parsed) return parsed.fields;
  const { listed, unlisted } = parsed.faults;
  const lines = listed.map(({ field, index, detail }) =>
    sentence(`--${field}${index === undefined ? '' : `, entry ${index + 1},`} ${detail}`),
  );
  throw new UsageError(...lines, ...(unlisted > 0 ? [`There are ${unlisted} more faults.`] : []));
}

export function parseWebhookId(text: string): string {
  if (isWebhookId(text)) return text;
  throw new UsageError(
    'This is not the id of an endpoint, which is we_ and 16 characters, as "transactions webhooks list" shows it.',
  );
}

/** The failure of a command whose endpoint does not exist. */
export function noSuchWebhook(account: string, id: string): CommandFailed {
  return new CommandFailed(
    `The account ${account} has no endpoint ${id}. "transactions webhooks list --account ${account}" shows its endpoints.`,
  );
}
