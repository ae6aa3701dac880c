import {
  type Account,
  type Action,
  anInstance,
  asOperator,
  begin,
  dayBefore,
  ended,
  ofOne,
  operate,
  type Round,
  someDay,
  untilAnswered,
  using,
} from '../account.ts';
import type { Instance } from '../driver.ts';
import { BY_KEY, type Given, isByKey, type Recorded, type Row } from '../history.ts';
import { type Answer, isToBeRepeated } from '../http.ts';

const DAY_MS = 86_400_000;
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'];
/** The list is short, so that many `createdAt` are equal. Most times are near midnight in some time zone. */
const TIMES = ['00:00:00.000', '23:59:59.999', '22:30:00.000', '05:00:00.001', '12:00:00.000'];
const TEXTS = ['order', 'Quote "', 'comma, ', 'é \u{1f600} ', '\u2028 line ', "'=1+1 ", ''];
const STATUSES = ['pending', 'pending', 'completed', 'completed', 'failed'];

const paidAtOf = (status: string, createdAt: string): string | null =>
  status === 'completed' ? new Date(Date.parse(createdAt) + DAY_MS).toISOString() : null;

const NAMES = ['Ada', 'Grace', 'Käthe "K"', 'Bo, Jr.'];

/** No two accounts get the same reference, so that a transaction of the wrong account is noticed. */
function invent(round: Round, account: Account): Given {
  const { chance } = round;
  const again = chance.is(60) ? account.former.pop() : undefined;
  const number = ++round.named;
  const status = chance.pick(STATUSES);
  const createdAt = `${someDay(round)}T${chance.pick(TIMES)}Z`;
  const cents = chance.is(90) ? chance.below(20_000) - 5000 : 999_999_999_999_999 - chance.below(9);
  const related = chance.is(15) ? account.sent.at(-1)?.reference : undefined;
  const invented = {
    reference: again?.reference ?? `${chance.pick(['r', 'R-', '_', '9.'])}${number}`,
    merchantReference: chance.is(15) ? null : `${chance.pick(TEXTS)}${account.name}-${number}`,
    status,
    amount: `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`,
    currencyCode: chance.pick(CURRENCIES),
    paidAt: paidAtOf(status, createdAt),
    createdAt,
    ...(related != null && related !== again?.reference && { relatedTo: related }),
    ...(chance.is(40) && { details: { customer: `${chance.pick(NAMES)} ${number}`, last4: '4242' } }),
  };
  return safeFromArchive(round, account, again !== undefined && chance.is(50) ? again : invented);
}

function safeFromArchive({ chance, driver }: Round, { mode, archivedBefore }: Account, given: Given): Given {
  if (mode !== 'archiving' || given.createdAt.slice(0, 10) >= (archivedBefore ?? '')) return given;
  if (chance.is(20)) return { ...given, status: 'pending', paidAt: null };
  const createdAt = `${dayBefore(driver.wallMs(), 2)}T12:00:00.000Z`;
  return { ...given, createdAt, paidAt: paidAtOf(given.status, createdAt) };
}

function choose(round: Round, account: Account): Given {
  const { chance } = round;
  const known =
    account.sent.length === 0 || chance.is(50) ? undefined : chance.pick(account.sent.slice(-200));
  if (known?.reference == null) return invent(round, account);
  if (chance.is(25)) return known;
  if (chance.is(25)) return { ...known, amount: known.amount === '7.77' ? '8.88' : '7.77' };
  // If a transaction became final now, the archive could take it before the judge reads its change.
  if (account.mode === 'archiving') return known;
  const status = chance.pick(['completed', 'failed', 'pending']);
  const details =
    known.details !== undefined && status !== 'pending' && chance.is(30)
      ? { details: { ...known.details, method: 'transfer' } }
      : {};
  return { ...known, status, paidAt: paidAtOf(status, known.createdAt), ...details };
}

async function put(round: Round, account: Account, given: Given): Promise<void> {
  const { reference, ...fields } = given;
  account.sent.push(given);
  const request = { method: 'PUT', body: fields };
  await settle(
    round,
    account,
    given,
    undefined,
    asOperator(round, account, `/transactions/${reference}`, request),
  );
}

export const putNew = (round: Round, account: Account): Promise<void> =>
  put(round, account, invent(round, account));

async function postOnce(round: Round, account: Account): Promise<void> {
  const { chance } = round;
  const used = account.once.length > 0 && chance.is(40) ? chance.pick(account.once) : undefined;
  // The key does not contain the account, so that several accounts use the same idempotency keys.
  const key = used?.key ?? `key-${account.life}-${account.once.length}`;
  const { reference: _, relatedTo: __, ...invented } = invent(round, account);
  const new_ = {
    ...invented,
    reference: null,
    merchantReference: `${BY_KEY} ${account.name}-${account.life}-${account.once.length}`,
  };
  const given: Given = used?.given ?? new_;
  if (used === undefined) account.once.push({ key, given });
  const other = { ...given, amount: given.amount === '5.55' ? '6.66' : '5.55' };
  const once = ({ reference, ...body }: Given) => {
    const request = { method: 'POST', body, headers: { 'idempotency-key': key } };
    const sent = { reference, ...body };
    return settle(round, account, sent, key, asOperator(round, account, '/transactions', request));
  };
  const bodies = chance.is(25)
    ? [given, chance.is(50) ? given : other]
    : [used !== undefined && chance.is(30) ? other : given];
  await Promise.all(bodies.map(once));
}

async function settle(
  round: Round,
  account: Account,
  given: Given,
  key: string | undefined,
  request: (instance: Instance) => Promise<Answer>,
): Promise<void> {
  await untilAnswered(round, async (instance) => {
    const begun = begin(round, account);
    const answer = await request(instance);
    const seen = outcomeOf(round, account, answer);
    if (seen === undefined) return answer;
    round.history.add({
      op: 'record',
      ...ended(round, begun),
      given,
      ...(key !== undefined && { key }),
      ...seen,
    });
    if (seen.shown !== undefined && given.reference === null)
      account.sent.push({ ...given, reference: seen.shown.reference });
    return answer;
  });
}

type Seen = Pick<Recorded, 'outcome' | 'shown' | 'sequence' | 'id' | 'isReplayed'>;

function outcomeOf({ history }: Round, account: Account, answer: Answer): Seen | undefined {
  const { status, headers, text } = answer;
  if (isToBeRepeated(answer)) return { outcome: 'unknown' };
  const body = JSON.parse(text);
  if (status === 409 && body.code === 'transaction_conflict') return { outcome: 'conflict' };
  if (status === 409 && body.code === 'idempotency_key_reused') return { outcome: 'key reused' };
  if (status === 422 && body.errors?.every(({ code }: { code: string }) => code === 'archived'))
    return { outcome: 'day archived' };
  const outcome = headers.get('recording-outcome') as Recorded['outcome'] | null;
  if ((status === 200 || status === 201) && outcome !== null)
    return {
      outcome,
      shown: body as Row,
      sequence: Number(headers.get('change-sequence')),
      id: headers.get('change-id') ?? '',
      isReplayed: headers.get('idempotency-replayed') === 'true',
    };
  history.wrong(account.name, `recording got ${status}: ${text}`);
  return undefined;
}

const OUTCOMES = ['recorded', 'changed', 'unchanged', 'conflict'];

async function batch(round: Round, accounts: readonly Account[]): Promise<void> {
  const { chance } = round;
  const lines = Array.from({ length: 1 + chance.below(12) }, () => {
    const account = chance.pick(accounts);
    return { account, given: choose(round, account) };
  });
  await recordLines(round, lines);
}

async function recordLines(round: Round, chosen: readonly { account: Account; given: Given }[]) {
  const { driver, history } = round;
  const lines = chosen.map(({ account, given }) => {
    account.sent.push(given);
    return { account, given, begun: begin(round, account) };
  });
  const { operatorUrl } = await anInstance(round);
  const answer = await driver.send(`${operatorUrl}/v1/batch`, {
    method: 'POST',
    key: driver.operatorKey,
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map(({ account, given }) => JSON.stringify({ account: account.name, ...given })).join('\n'),
  });
  if (answer.status !== 200 && !isToBeRepeated(answer))
    history.wrong('', `a batch got ${answer.status}: ${answer.text}`);
  const answered = answer.status === 200 ? answer.text.split('\n').slice(0, -1) : [];
  const unknown: typeof lines = [];
  for (const [index, one] of lines.entries()) {
    const line = JSON.parse(answered[index] ?? '{}');
    const isArchived = line.outcome === 'invalid' && line.errors[0]?.code === 'archived';
    const isKnown = isArchived || OUTCOMES.includes(line.outcome);
    const isWrong = line.line !== undefined && line.line !== index + 1;
    if (isWrong || (!isKnown && ![undefined, 'unavailable'].includes(line.outcome)))
      history.wrong(one.account.name, `line ${index + 1}: ${answered[index]}`);
    const outcome = isArchived ? 'day archived' : isKnown ? line.outcome : 'unknown';
    history.add({ op: 'record', ...ended(round, one.begun), given: one.given, outcome });
    if (!isKnown) unknown.push(one);
  }
  for (const { account, given } of unknown) await put(round, account, given);
}

export async function recordCompleted(
  round: Round,
  account: Account,
  { count, day }: { count: number; day: string },
): Promise<void> {
  const createdAt = `${day}T12:00:00.000Z`;
  const completed = { status: 'completed', createdAt, paidAt: paidAtOf('completed', createdAt) };
  const lines = Array.from({ length: count }, () => ({
    account,
    given: { ...invent(round, account), ...completed },
  }));
  await recordLines(round, lines);
}

async function importLines(round: Round, account: Account): Promise<void> {
  const { chance, driver, history } = round;
  const lines = Array.from({ length: 1 + chance.below(20) }, () => invent(round, account)).flatMap((given) =>
    given.status === 'pending' && chance.is(50) && account.mode !== 'archiving'
      ? [given, { ...given, status: 'completed', paidAt: paidAtOf('completed', given.createdAt) }]
      : [given],
  );
  account.sent.push(...lines);
  const begun = begin(round, account);
  const ndjson = lines.map((given) => `${JSON.stringify({ account: account.name, ...given })}\n`).join('');
  const isImported = await driver.operator?.importLines(ndjson);
  const timed = ended(round, begun);
  for (const given of lines)
    history.add({ op: 'record', ...timed, given, outcome: isImported === true ? 'imported' : 'unknown' });
  if (isImported !== true) for (const given of lines) await put(round, account, given);
}

export async function removeDetails(round: Round, account: Account): Promise<void> {
  const { chance, history } = round;
  const known = account.sent.filter(({ details, reference }) => details !== undefined && reference !== null);
  if (known.length === 0) return;
  const { reference } = chance.pick(known);
  const begun = begin(round, account);
  const answer = await operate(round, account, `/transactions/${reference}/details`, { method: 'DELETE' });
  if (answer.status !== 204 && answer.status !== 404)
    return history.wrong(account.name, `a removal of details got ${answer.status}: ${answer.text}`);
  const isThere = answer.status === 204;
  history.add({ op: 'remove', ...ended(round, begun), reference: reference as string, isThere });
}

/** After a restore, the service may choose other references than before. */
export const withoutServiceReferences = (sent: readonly Given[]): Given[] =>
  sent.filter(({ merchantReference }) => !isByKey(merchantReference));

export const RECORDINGS: readonly Action[] = [
  { name: 'put', weight: 60, run: ofOne((round, account) => put(round, account, choose(round, account))) },
  { name: 'post under a key', weight: 18, run: ofOne(postOnce) },
  {
    name: 'batch',
    weight: 22,
    run: async (round) => {
      const open = round.accounts.filter(({ mode }) => mode !== 'closed');
      if (open.length > 0) await using(open, () => batch(round, open));
    },
  },
  {
    name: 'import',
    weight: 1,
    isPossible: ({ driver }) => driver.operator !== undefined,
    run: ofOne(importLines),
  },
  { name: 'remove details', weight: 6, run: ofOne(removeDetails) },
];
