import type { Command } from 'commander';
import { LABEL_MAX_CHARACTERS } from '../../keys/api-key.ts';
import { DEFAULT_FAILURES } from '../../webhooks/failure-query.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './change-webhooks.ts';
import {
  listFailures,
  listWebhooks,
  replayWebhook,
  retryFailure,
  rotateSecret,
  testWebhook,
} from './operate-webhooks.ts';
import { parseLimit, parseSequence } from './webhook-options.ts';

const ACCOUNT = ['--account <id>', 'the account of the endpoint'] as const;
const ENDPOINT = ['<endpoint>', 'the id of the endpoint (we_...)'] as const;
const TYPES = 'such as transaction.completed,transaction.pending, or all';
const LABEL = `what the endpoint is for, at most ${LABEL_MAX_CHARACTERS} characters`;

export function webhooksCommand(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('manage the endpoints to which the changes of an account are delivered');
  webhooks
    .command('list')
    .description('list the endpoints of an account, but not their secrets')
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'print a JSON array')
    .action(listWebhooks);

  webhooks
    .command('create')
    .description('create an endpoint and print its secret, this one time')
    .requiredOption('--account <id>', 'the account whose changes are delivered')
    .requiredOption('--url <url>', 'where changes are sent')
    .option('--types <list>', `the types that are sent, ${TYPES} (default: all)`)
    .option('--label <text>', LABEL)
    .option('--ordered', 'deliver a change only after the one before it')
    .option('--json', 'print the endpoint and its secret as JSON')
    .action(createWebhook);

  addChanges(webhooks);
  addDeliveries(webhooks);
}

/** A command with the id of an endpoint. */
const onEndpoint = (webhooks: Command, name: string, description: string) =>
  webhooks
    .command(name)
    .description(description)
    .argument(...ENDPOINT)
    .requiredOption(...ACCOUNT);

function addChanges(webhooks: Command): void {
  onEndpoint(webhooks, 'update', 'change, disable or enable an endpoint')
    .option('--url <url>', 'where changes are sent')
    .option('--types <list>', `the types that are sent, ${TYPES}`)
    .option('--label <text>', LABEL)
    .option('--no-label', 'remove the label')
    .option('--ordered', 'deliver a change only after the one before it')
    .option('--no-ordered', 'deliver changes at the same time')
    .option('--enable', 'deliver changes again, from where deliveries stopped')
    .option('--disable', 'stop deliveries')
    .option('--json', 'print the endpoint as JSON')
    .action(updateWebhook);

  onEndpoint(webhooks, 'delete', 'delete an endpoint and its failures').action(deleteWebhook);

  onEndpoint(
    webhooks,
    'rotate-secret',
    'give an endpoint a new secret and print it; the old one also signs for 24 hours, or until the next rotation',
  )
    .option('--json', 'print the secret and the time as JSON')
    .action(rotateSecret);
}

function addDeliveries(webhooks: Command): void {
  onEndpoint(
    webhooks,
    'test',
    'send a test event to an endpoint; the exit status is 1 if it is not delivered',
  )
    .option('--json', 'print the result as JSON')
    .action(testWebhook);

  onEndpoint(webhooks, 'replay', 'deliver changes to an endpoint again')
    .requiredOption('--after <sequence>', 'the changes with larger sequence numbers', parseSequence)
    .option('--json', 'print the endpoint as JSON')
    .action(replayWebhook);

  onEndpoint(webhooks, 'failures', 'list the changes that could not be delivered to an endpoint')
    .option('--after <sequence>', 'only failures with larger sequence numbers', parseSequence, 0)
    .option('--limit <number>', 'the most failures', parseLimit, DEFAULT_FAILURES)
    .option('--json', 'print a JSON array')
    .action(listFailures);

  webhooks
    .command('retry')
    .description('retry a failure now')
    .argument(...ENDPOINT)
    .argument('<sequence>', 'the sequence number of the change', parseSequence)
    .requiredOption(...ACCOUNT)
    .action(retryFailure);
}
