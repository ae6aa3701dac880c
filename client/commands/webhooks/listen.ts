import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../../values/failure.ts';
import { parseSequence } from '../../../values/terminal/options.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { onStopSignal } from '../../../values/terminal/stop-signals.ts';
import { type Change, ChangesArchivedError, signWebhook, TransactionsClient } from '../../src/index.ts';
import { explain, type ServiceOf, type ServiceOptions, withService } from '../api-client.ts';
import { ReadChanges, rewindText } from '../rewinds.ts';

interface ListenOptions extends ServiceOptions {
  forwardTo: string;
  after?: number;
  secret?: string;
}

/** The service itself waits this long for the response of a webhook's receiver. */
const RECEIVER_TIMEOUT_MS = 15_000;

export function listenCommand(webhooks: Command, serviceOf: ServiceOf): void {
  const command = webhooks
    .command('listen')
    .description(
      'send each change of the account to a receiver that you develop on this machine, signed like a webhook. The command creates no endpoint, and needs the key of the account',
    )
    .requiredOption(
      '--forward-to <url>',
      'the URL of the receiver, such as http://127.0.0.1:8080/webhooks',
      parseAddress,
    )
    .option(
      '--after <sequence>',
      'also send the recorded changes after this number (default: only new changes)',
      parseSequence,
    )
    .option(
      '--secret <secret>',
      'the secret that signs the deliveries: whsec_ and base64 (default: a new secret, which is printed)',
      parseSecret,
    );
  withService(command).action((options) => listen(options, serviceOf));
}

async function listen(
  { forwardTo, after, secret: given, url, allowHttp }: ListenOptions,
  serviceOf: ServiceOf,
) {
  const service = await serviceOf({ url, allowHttp });
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  const stopping = new AbortController();
  onStopSignal(() => stopping.abort(), { again: 'ends the process' });
  const { signal } = stopping;
  try {
    const client = new TransactionsClient({ ...service, maxRetries: 1 });
    const position = await positionAt(client, after, signal);
    if (given === undefined) printResult(`The secret is ${secret}`);
    printNote(`Waiting for changes. Each is sent to ${forwardTo} until a stop signal.`);
    const follower = new TransactionsClient(service);
    const read = new ReadChanges(position, (rewind) => printNote(rewindText(rewind)));
    for await (const change of follower.changes.follow(position, { signal, copy: read })) {
      read.add(change);
      printResult(await deliver(change, forwardTo, secret, signal));
    }
  } catch (error) {
    if (!signal.aborted) throw explain(error, service.url, undefined);
  }
}

async function positionAt(client: TransactionsClient, given: number | undefined, signal: AbortSignal) {
  if (given === undefined) {
    const { asOf, asOfId } = await client.totals({ from: '9999-12-31' }, { signal });
    return { after: asOf, afterId: asOfId ?? undefined };
  }
  if (given === 0) return { after: given };
  const { data } = await client.changes.list({ after: given - 1, limit: 1 }, { signal }).catch((error) => {
    if (error instanceof ChangesArchivedError) return { data: [] };
    throw error;
  });
  return { after: given, afterId: data[0]?.id };
}

async function deliver(change: Change, to: string, secret: string, signal: AbortSignal): Promise<string> {
  const { id, sequence, type, recordedAt: timestamp, transaction } = change;
  const what = `${sequence} ${type} ${transaction.reference}`;
  const body = JSON.stringify({ type, timestamp, data: change });
  try {
    const response = await fetch(to, {
      method: 'POST',
      body,
      headers: signWebhook(body, secret, { id }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
      redirect: 'manual',
    });
    await response.body?.cancel();
    return `${what}: the receiver answered ${response.status}`;
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message } = error as Error;
    return `${what}: no answer from the receiver: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? message}`;
  }
}

/** Does not throw InvalidArgumentError, because commander would then print the secret. */
function parseSecret(text: string): string {
  try {
    signWebhook('', text);
    return text;
  } catch {
    throw new UsageError('--secret is not whsec_ and base64. Without it, a new secret is made and printed.');
  }
}

function parseAddress(text: string): string {
  if (/^https?:/i.test(text) && URL.canParse(text) && new URL(text).username === '') return text;
  throw new InvalidArgumentError('It is not a URL, such as http://127.0.0.1:8080/webhooks.');
}
