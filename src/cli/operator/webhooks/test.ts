import type { Command } from 'commander';
import { webhookSender } from '../../../service/webhook-sender.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { testWebhook as sendTest } from '../../../webhooks/test-webhook.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonOption } from '../../terminal/options.ts';
import { printResult } from '../../terminal/output.ts';
import { withStore } from '../../with-store.ts';
import { type AccountOptions, endpointCommand, NOW } from './endpoint-command.ts';
import { noSuchWebhook, settingsThatForbid } from './webhook-options.ts';

export function testCommand(webhooks: Command): void {
  endpointCommand(
    webhooks,
    'test',
    'send a test event to an endpoint; the exit status is 1 if it is not delivered',
  )
    .addOption(jsonOption('the result'))
    .action(testWebhook);
}

/** Sends a test event from this machine, which can reach other networks than the service. */
async function testWebhook(id: string, { account, json }: AccountOptions): Promise<void> {
  const config = loadConfig();
  const found = await withStore(config, (store) => store.findWebhook(account, id));
  if (found === undefined) throw noSuchWebhook(account, id);
  const sender = webhookSender(config);
  const dependencies = { ...NOW, send: sender.send, monotonicMs: () => performance.now() };
  const result = await sendTest(dependencies, found, new AbortController().signal);
  sender.close();
  const { delivered, status, error, durationMs } = result;
  const settings = status === null ? settingsThatForbid(found.url, config) : undefined;
  if (json) printResult(JSON.stringify(result));
  else if (delivered) printResult(`The receiver answered ${status} after ${durationMs} ms.`);
  if (!delivered)
    throw new CommandFailed(
      `The test was not delivered: ${error}.`,
      ...(settings === undefined ? [] : [`${settings}.`]),
    );
}
