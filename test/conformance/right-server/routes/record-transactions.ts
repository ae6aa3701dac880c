import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseObject, readJson, requireType } from '../body.ts';
import type { Ledger } from '../ledger.ts';
import { Problem } from '../problem.ts';
import { compare, isName, type Outcome, readTransaction, record } from '../record.ts';
import type { Answer, Call, Service } from '../service.ts';
import { showTransaction, type Transaction } from '../transaction.ts';

/** `PUT /v1/accounts/{account}/transactions/{reference}` */
export async function recordTransaction({ service, account, path, request }: Call): Promise<Answer> {
  const given = readFields(service, await readJson(request), path['reference'] ?? '');
  const ledger = service.ledger(account);
  const outcome = record(ledger, given, service.now());
  if (outcome.outcome === 'conflict') {
    const { differences } = outcome;
    throw new Problem('transaction_conflict', explainConflict(outcome), { differences });
  }
  const headers = {
    'Recording-Outcome': outcome.outcome,
    'Change-Sequence': String(ledger.sequenceOf(given.reference, 'last')),
  };
  return {
    status: outcome.outcome === 'recorded' ? 201 : 200,
    body: showTransaction(outcome.transaction),
    headers,
  };
}

/** `POST /v1/accounts/{account}/transactions`: under a reference of the service. */
export async function recordUnderNewReference({ service, account, request }: Call): Promise<Answer> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('idempotency_key_missing', 'Send Idempotency-Key with 1 to 255 visible characters');
  }
  const transaction = readFields(service, await readJson(request), newReference(service.now()));
  const { reference: _, ...fields } = showTransaction(transaction);
  const ledger = service.ledger(account);
  const first = ledger.idempotencyKeys.get(key);
  if (first !== undefined) {
    if (first.fields === JSON.stringify(fields))
      return createdUnderKey(ledger, first.transaction, {
        'Recording-Outcome': 'unchanged',
        'Idempotency-Replayed': 'true',
      });
    const differences = compare(first.transaction, transaction).filter(({ field }) => field !== 'reference');
    throw new Problem('idempotency_key_reused', 'The key was sent with other fields before', { differences });
  }
  ledger.idempotencyKeys.set(key, { fields: JSON.stringify(fields), transaction });
  record(ledger, transaction, service.now());
  return createdUnderKey(ledger, transaction, { 'Recording-Outcome': 'recorded' });
}

function createdUnderKey(ledger: Ledger, transaction: Transaction, said: Record<string, string>): Answer {
  const headers = { ...said, 'Change-Sequence': String(ledger.sequenceOf(transaction.reference, 'first')) };
  return { status: 201, body: showTransaction(transaction), headers };
}

/** `POST /v1/batch`: one outcome for each line, as soon as the line is recorded. */
export async function recordBatch({ service, request, response }: Call): Promise<undefined> {
  requireType(request, 'application/x-ndjson');
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  let line = 0;
  for await (const text of linesOf(request)) {
    line++;
    if (text.trim() !== '') response.write(`${JSON.stringify({ line, ...recordLine(service, text) })}\n`);
  }
  response.end();
}

async function* linesOf(request: IncomingMessage): AsyncGenerator<string> {
  let unfinished = '';
  for await (const piece of request.setEncoding('utf8')) {
    const lines = (unfinished + piece).split('\n');
    unfinished = lines.pop() ?? '';
    yield* lines;
  }
  yield unfinished;
}

function recordLine(service: Service, text: string): object {
  try {
    const { account, reference, ...fields } = parseObject(text);
    if (!isName(account)) throw invalidField('/account');
    if (!isName(reference)) throw invalidField('/reference');
    const given = readFields(service, fields, reference);
    const { outcome, ...rest } = record(service.ledger(account), given, service.now());
    return 'differences' in rest ? { outcome, differences: rest.differences } : { outcome };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      outcome: 'invalid',
      errors: [{ pointer: '', code: 'invalid_line', detail: error.message }],
      ...error.members,
    };
  }
}

function readFields(service: Service, body: Record<string, unknown>, reference: string): Transaction {
  const read = readTransaction(body, reference, service.statuses);
  if (!Array.isArray(read)) return read;
  const detail = read.map((fault) => `${fault.pointer} ${fault.detail}`).join('; ');
  throw new Problem('invalid_fields', detail, { errors: read });
}

function invalidField(pointer: string): Problem {
  const detail = 'is not 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-"';
  return new Problem('invalid_fields', `${pointer} ${detail}`, {
    errors: [{ pointer, code: 'invalid_value', detail }],
  });
}

function explainConflict({ differences }: Outcome & { outcome: 'conflict' }): string {
  return differences.map(({ field, recorded, given }) => `${field} is ${recorded}, not ${given}`).join('; ');
}

/** Sorts by time: the milliseconds come first, in hexadecimal. */
function newReference(nowMs: number): string {
  return `tx_${nowMs.toString(16).padStart(12, '0')}${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}
