import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment, Instance } from './deployment.ts';
import { BY_KEY, type Chance, type History, type Recorded, type Row } from './history.ts';
import { type Answer, isToBeRepeated, send } from './http.ts';

export interface Account {
  name: string;
  key: string;
  /** Everything that was sent, with the reference if it is known. */
  sent: Recorded['given'][];
  /** The keys of recordings that leave the reference to the service. */
  keys: { key: string; given: Recorded['given'] }[];
}

export interface Round {
  deployment: Deployment;
  history: History;
  chance: Chance;
  accounts: Account[];
}

/** An instance that is running, as soon as there is one. */
export async function anInstance({ deployment, chance }: Round): Promise<Instance> {
  for (;;) {
    const running = deployment.running();
    if (running.length > 0) return chance.pick(running);
    await delay(20);
  }
}

/** As often as a request is refused as unavailable on a busy machine while a database is killed and started. */
const HOW_OFTEN = 1000;

/** Sends a request to one instance after another until it is answered, or was refused too often. */
export async function untilAnswered(
  round: Round,
  request: (instance: Instance) => Promise<Answer>,
): Promise<Answer> {
  for (let refused = 0; ; ) {
    const answer = await request(await anInstance(round));
    if (!isToBeRepeated(answer)) return answer;
    if (answer.isWhole && ++refused === HOW_OFTEN) {
      const text = `no answer to ${HOW_OFTEN} requests, the last with ${answer.status}: ${answer.text}`;
      round.history.add({ op: 'wrong', account: '', text });
      return answer;
    }
    await delay(30);
  }
}

const DAY_MS = 86_400_000;
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'];
/** Moments around midnights here and in other time zones, few of them, so that many transactions have the same. */
const TIMES = ['00:00:00.000', '23:59:59.999', '22:30:00.000', '05:00:00.001', '12:00:00.000'];
const TEXTS = ['order', 'Quote "', 'comma, ', 'é \u{1f600} ', '\u2028 line ', "'=1+1 ", ''];
const STATUSES = ['pending', 'pending', 'completed', 'completed', 'failed'];

export const someDay = (chance: Chance): string =>
  new Date(Date.now() - (2 + chance.below(60)) * DAY_MS).toISOString().slice(0, 10);

const paidAtOf = (status: string, createdAt: string): string | null =>
  status === 'completed' ? new Date(Date.parse(createdAt) + DAY_MS).toISOString() : null;

/** Records with every kind of request, and never leaves one whose outcome is unknown. */
export class Recorder {
  readonly #round: Round;
  #count = 0;
  readonly #name: string;

  constructor(round: Round, name: string) {
    this.#round = round;
    this.#name = name;
  }

  async step(): Promise<void> {
    const { chance, accounts } = this.#round;
    const account = chance.pick(accounts);
    if (chance.is(15)) return this.#post(account);
    if (chance.is(25)) return this.#batch();
    await this.#put(account, this.#choose(account));
  }

  /** A new transaction, or a repetition, a payment or a contradiction of one that was sent. */
  #choose({ name, sent }: Account): Recorded['given'] {
    const { chance } = this.#round;
    const known = sent.length === 0 || chance.is(50) ? undefined : chance.pick(sent.slice(-200));
    if (known?.reference == null) return this.#invent(name);
    if (chance.is(25)) return known;
    if (chance.is(25)) return { ...known, amount: known.amount === '7.77' ? '8.88' : '7.77' };
    const status = chance.pick(['completed', 'failed', 'pending']);
    return { ...known, status, paidAt: paidAtOf(status, known.createdAt) };
  }

  /** The references of accounts are alike, so that a mixed-up account shows; those of recorders differ. */
  #invent(account: string): Recorded['given'] {
    const { chance } = this.#round;
    const number = ++this.#count;
    const status = chance.pick(STATUSES);
    const createdAt = `${someDay(chance)}T${chance.pick(TIMES)}Z`;
    const cents = chance.is(90) ? chance.below(20_000) - 5000 : 999_999_999_999_999 - chance.below(9);
    return {
      reference: `${chance.pick(['r', 'R-', '_', '9.'])}${this.#name}${number}`,
      merchantReference: chance.is(15) ? null : `${chance.pick(TEXTS)}${account}-${this.#name}-${number}`,
      status,
      amount: `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`,
      currencyCode: chance.pick(CURRENCIES),
      paidAt: paidAtOf(status, createdAt),
      createdAt,
    };
  }

  async #put(account: Account, given: Recorded['given']): Promise<void> {
    const { reference, ...fields } = given;
    account.sent.push(given);
    await this.#settle(account, given, undefined, ({ operatorUrl }) =>
      this.#send(`${operatorUrl}/v1/accounts/${account.name}/transactions/${reference}`, 'PUT', fields),
    );
  }

  /** Records under a key, sometimes again, sometimes with other fields, sometimes twice at the same time. */
  async #post(account: Account): Promise<void> {
    const { chance } = this.#round;
    const used = account.keys.length > 0 && chance.is(40) ? chance.pick(account.keys) : undefined;
    const text = `${account.name}-${this.#name}-${this.#count + 1}`;
    const invented = {
      ...this.#invent(account.name),
      reference: null,
      merchantReference: `${BY_KEY} ${text}`,
    };
    // Accounts have the same keys.
    const { key, given } = used ?? { key: `key-${this.#name}-${this.#count}`, given: invented };
    if (used === undefined) account.keys.push({ key, given });
    const fields = used !== undefined && chance.is(20) ? { ...given, amount: '5.55' } : given;
    const once = () =>
      this.#settle(account, fields, key, ({ operatorUrl }) => {
        const { reference: _, ...body } = fields;
        const url = `${operatorUrl}/v1/accounts/${account.name}/transactions`;
        return this.#send(url, 'POST', body, { 'idempotency-key': key });
      });
    await Promise.all(chance.is(20) ? [once(), once()] : [once()]);
  }

  #send(url: string, method: string, fields: object, headers: Record<string, string> = {}): Promise<Answer> {
    const { operatorKey } = this.#round.deployment;
    const type = { 'content-type': 'application/json' };
    return send(url, {
      method,
      key: operatorKey,
      body: JSON.stringify(fields),
      headers: { ...type, ...headers },
    });
  }

  async #settle(
    account: Account,
    given: Recorded['given'],
    key: string | undefined,
    request: (instance: Instance) => Promise<Answer>,
  ): Promise<void> {
    const { history } = this.#round;
    await untilAnswered(this.#round, async (instance) => {
      const began = history.tick();
      const answer = await request(instance);
      const seen = this.#outcomeOf(account, answer);
      if (seen === undefined) return answer;
      const timed = { account: account.name, era: history.era, began, ended: history.tick() };
      history.add({ op: 'record', ...timed, given, ...(key !== undefined && { key }), ...seen });
      if (seen.shown !== undefined && given.reference === null) account.sent.push(seen.shown);
      return answer;
    });
  }

  #outcomeOf(account: Account, answer: Answer): Pick<Recorded, 'outcome' | 'shown'> | undefined {
    const { history } = this.#round;
    const { status, headers, text } = answer;
    if (isToBeRepeated(answer)) return { outcome: 'unknown' };
    const body = JSON.parse(text);
    if (status === 409 && body.code === 'transaction_conflict') return { outcome: 'conflict' };
    if (status === 409 && body.code === 'idempotency_key_reused') return { outcome: 'reused' };
    const outcome = headers.get('recording-outcome') as Recorded['outcome'] | null;
    if ((status === 200 || status === 201) && outcome !== null)
      return {
        outcome,
        shown: body as Row,
        ...{ sequence: Number(headers.get('change-sequence')), id: headers.get('change-id') ?? '' },
        ...{ isReplayed: headers.get('idempotency-replayed') === 'true' },
      };
    history.add({ op: 'wrong', account: account.name, text: `recording got ${status}: ${text}` });
    return undefined;
  }

  /** Records lines of several accounts. What has no outcome is recorded one by one. */
  async #batch(): Promise<void> {
    const { chance, accounts, deployment, history } = this.#round;
    const lines = Array.from({ length: 1 + chance.below(12) }, () => {
      const account = chance.pick(accounts);
      const given = this.#choose(account);
      account.sent.push(given);
      return { account, given };
    });
    const { operatorUrl } = await anInstance(this.#round);
    const began = history.tick();
    const answer = await send(`${operatorUrl}/v1/batch`, {
      method: 'POST',
      key: deployment.operatorKey,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map(({ account, given }) => JSON.stringify({ account: account.name, ...given })).join('\n'),
    });
    const ended = history.tick();
    if (answer.status !== 200 && !isToBeRepeated(answer))
      history.add({ op: 'wrong', account: '', text: `a batch got ${answer.status}: ${answer.text}` });
    const answered = answer.status === 200 ? answer.text.split('\n').slice(0, -1) : [];
    const unknown: typeof lines = [];
    for (const [index, { account, given }] of lines.entries()) {
      const line = JSON.parse(answered[index] ?? '{}');
      const timed = { account: account.name, era: history.era, began, ended };
      const isKnown = ['recorded', 'changed', 'unchanged', 'conflict'].includes(line.outcome);
      const isWrong = line.line !== undefined && line.line !== index + 1;
      if (isWrong || (!isKnown && ![undefined, 'unavailable'].includes(line.outcome)))
        history.add({ op: 'wrong', account: account.name, text: `line ${index + 1}: ${answered[index]}` });
      history.add({ op: 'record', ...timed, given, outcome: isKnown ? line.outcome : 'unknown' });
      if (!isKnown) unknown.push({ account, given });
    }
    for (const { account, given } of unknown) await this.#put(account, given);
  }
}
