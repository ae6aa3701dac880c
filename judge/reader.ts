import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from './deployment.ts';
import { type Change, type Export, type Filter, isByKey, type Page, type Row, type Walk } from './history.ts';
import { type Answer, isToBeRepeated, queryOf, send } from './http.ts';
import { type Account, anInstance, type Round, someDay, untilAnswered } from './recorder.ts';

/** As many as a test of a few seconds waits for a background job on a busy machine. */
const CAUGHT_UP_MS = 120_000;

interface Answered {
  answer: Answer;
  // biome-ignore lint/suspicious/noExplicitAny: The judge judges what the service sends, so it has no type of it.
  body: any;
  began: number;
  ended: number;
  era: number;
}

/** Reads an account in every way, as the account and as the operator. */
export class Reader {
  protected readonly round: Round;

  constructor(round: Round) {
    this.round = round;
  }

  async step(): Promise<void> {
    const { chance, accounts } = this.round;
    const account = chance.pick(accounts);
    const read = chance.pick([
      () => this.walk(account, 'list', this.#filter(account)),
      () => this.walk(account, 'list', this.#filter(account)),
      () => this.walk(account, 'search', this.#search(account)),
      () => this.#retrieve(account),
      () => this.totals(account, this.#filter(account), chance.pick([null, 'day', 'month'] as const)),
      () =>
        this.export(account, chance.pick(['csv', 'ndjson'] as const), this.#filter(account), chance.is(40)),
      () => this.feed(account, null, { after: 0, limit: 1 + chance.below(200) }),
      () => this.seal(account),
      () => this.#asAnother(account),
    ]);
    await read();
  }

  #filter({ sent }: Account): Filter {
    const { chance } = this.round;
    const filter: Record<string, string> = {};
    if (chance.is(30)) filter['status'] = chance.pick(['pending', 'completed', 'failed']);
    if (chance.is(30)) filter['currency'] = chance.pick(['EUR', 'USD', 'JPY', 'KWD']);
    const days = [someDay(chance), someDay(chance)].sort();
    if (chance.is(30)) filter['from'] = days[0] as string;
    if (chance.is(30)) filter['to'] = days[1] as string;
    if (chance.is(20))
      filter['timeZone'] = chance.pick(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']);
    const text = chance.is(5) && sent.length > 0 ? chance.pick(sent).merchantReference : null;
    return text === null ? filter : { merchantReference: text };
  }

  #search(account: Account): Filter {
    const { chance } = this.round;
    const { merchantReference, ...filter } = this.#filter(account) as Record<string, string>;
    const amounts = [0, 1].map(() => chance.below(20_000) - 5000).sort((a, b) => a - b);
    const term = chance.pick([
      () => ({ amount: account.sent[0]?.amount ?? '1.00' }),
      () => ({ amountFrom: `${(amounts[0] as number) / 100}`, amountTo: `${(amounts[1] as number) / 100}` }),
      () => ({ text: chance.pick(['ORDER', 'comma', `${account.name}-`, 'é \u{1f600}', 'ote']) }),
      () => ({ paidFrom: someDay(chance) }),
    ]);
    return { ...filter, ...term() };
  }

  /** Where the account is read: by its own key, or by the operator's. */
  #place(account: Account): (instance: Instance) => { base: string; key: string } {
    const { chance, deployment } = this.round;
    const own = { key: account.key };
    const operator = { key: deployment.operatorKey };
    return chance.is(60)
      ? ({ url }) => ({ base: `${url}/v1`, ...own })
      : ({ operatorUrl }) => ({ base: `${operatorUrl}/v1/accounts/${account.name}`, ...operator });
  }

  /** Sends a request until it is answered, and notes a status that it cannot have. */
  protected async get(
    account: Account,
    path: string,
    expected: readonly number[] = [200],
    place = this.#place(account),
  ): Promise<Answered | undefined> {
    const { history } = this.round;
    const { era } = history;
    let began = 0;
    const answer = await untilAnswered(this.round, async (instance) => {
      began = history.tick();
      const { base, key } = place(instance);
      return send(`${base}${path}`, { key });
    });
    // What was begun before a restore and answered after it belongs to neither history.
    if (history.era !== era) return undefined;
    if (!expected.includes(answer.status)) {
      const text = `${path} got ${answer.status}, expected ${expected.join(' or ')}: ${answer.text}`;
      history.add({ op: 'wrong', account: account.name, text });
      return undefined;
    }
    return { answer, body: JSON.parse(answer.text), began, ended: history.tick(), era };
  }

  async walk(account: Account, kind: Walk['kind'], filter: Filter): Promise<void> {
    const { history, chance } = this.round;
    const pages: Page[] = [];
    const path = kind === 'list' ? '/transactions' : '/search';
    const place = this.#place(account);
    let query = queryOf(filter);
    const began = history.tick();
    const { era } = history;
    for (;;) {
      const read = await this.get(account, `${path}?${query}`, [200], place);
      if (read === undefined || read.era !== era) return;
      const { body, answer } = read;
      pages.push({ began: read.began, ended: read.ended, rows: body.data });
      const hasNext = body.nextCursor !== null;
      if (hasNext !== body.hasMore || hasNext !== answer.headers.has('cursor-expires'))
        history.add({ op: 'wrong', account: account.name, text: `hasMore and nextCursor: ${answer.text}` });
      if (!hasNext) break;
      query = queryOf({ ...(chance.is(50) && filter), cursor: body.nextCursor });
    }
    history.add({
      op: 'walk',
      account: account.name,
      era,
      began,
      ended: history.tick(),
      kind,
      filter,
      pages,
    });
  }

  async #retrieve(account: Account): Promise<void> {
    const { chance, history } = this.round;
    const references = account.sent.slice(-300).flatMap(({ reference }) => reference ?? []);
    const reference = chance.is(90) && references.length > 0 ? chance.pick(references) : 'nobody';
    const read = await this.get(account, `/transactions/${reference}`, [200, 404]);
    if (read === undefined) return;
    const { answer, body, began, ended, era } = read;
    const row = answer.status === 200 ? (body as Row) : null;
    history.add({ op: 'retrieve', account: account.name, era, began, ended, reference, row });
  }

  async totals(account: Account, filter: Filter, by: 'day' | 'month' | null): Promise<void> {
    const { merchantReference, ...split } = filter;
    const asked = by === null ? filter : split;
    const read = await this.get(account, `/totals?${queryOf({ ...asked, by })}`);
    if (read === undefined) return;
    const { data: rows, asOf, asOfId } = read.body;
    const { began, ended, era } = read;
    const timed = { account: account.name, era, began, ended };
    this.round.history.add({ op: 'totals', ...timed, filter: asked, by, rows, asOf, asOfId });
  }

  async seal(account: Account): Promise<number> {
    const read = await this.get(account, '/seal');
    if (read === undefined) return -1;
    const { began, ended, era, body } = read;
    this.round.history.add({ op: 'seal', account: account.name, era, began, ended, ...body });
    return body.sequence;
  }

  /** Reads changes; undefined if a restore came between, and `refused` if the history is another one. */
  async feed(
    account: Account,
    afterId: string | null,
    { after, limit, wait = 0 }: { after: number; limit: number; wait?: number },
  ): Promise<{ refused: boolean; changes: Change[]; headSequence: number } | undefined> {
    const path = `/changes?${queryOf({ after, afterId, limit, wait })}`;
    const read = await this.get(account, path, afterId === null ? [200] : [200, 409]);
    if (read === undefined) return undefined;
    const { answer, body, began, ended, era } = read;
    const refused = answer.status === 409;
    const seen = refused
      ? { changes: [], lastSequence: after, lastId: null, hasMore: false, headSequence: body.headSequence }
      : {
          changes: body.data as Change[],
          lastSequence: body.lastSequence,
          lastId: body.lastId,
          hasMore: body.hasMore,
          headSequence: body.headSequence,
        };
    const timed = { account: account.name, era, began, ended };
    this.round.history.add({ op: 'feed', ...timed, after, afterId, refused, ...seen });
    return { refused, ...seen };
  }

  /** Takes an export, which can be cut, also because its instance was killed, and is started again on another one. */
  async export(account: Account, format: Export['format'], filter: Filter, isCut: boolean): Promise<void> {
    const { history, chance } = this.round;
    const { era } = history;
    const place = this.#place(account);
    const name = account.name;
    let text = '';
    let first: Answer | undefined;
    const began = history.tick();
    for (let tries = 0; tries < 50; tries++) {
      const { base, key } = place(await anInstance(this.round));
      const cut = isCut && tries === 0 ? { cutAfter: 1 + chance.below(3000) } : {};
      const answer = await send(`${base}/transactions.${format}?${queryOf(filter)}`, { key, ...cut });
      if (history.era !== era) return;
      if (answer.status === 200) {
        first = answer;
        text = answer.text;
        if (answer.isWhole) break;
      } else if (!isToBeRepeated(answer)) {
        return history.add({
          op: 'wrong',
          account: name,
          text: `an export got ${answer.status}: ${answer.text}`,
        });
      }
      await delay(30);
    }
    const id = first?.headers.get('export-id');
    const lines = text.split('\n');
    const own = format === 'ndjson' ? JSON.parse(lines.at(-2) ?? '{}').export : undefined;
    if (own !== undefined) text = `${lines.slice(0, -2).join('\n')}${lines.length > 2 ? '\n' : ''}`;
    const read = await this.get(account, `/exports/${id}`, [200], place);
    if (first === undefined || read === undefined || read.era !== era) return;
    if (own !== undefined && JSON.stringify(own) !== JSON.stringify(read.body))
      history.add({
        op: 'wrong',
        account: name,
        text: `two manifests of ${id}: ${lines.at(-2)}, ${read.answer.text}`,
      });
    const asOf = Number(first.headers.get('export-as-of'));
    const as = { asOf, asOfId: first.headers.get('export-as-of-id'), manifest: read.body };
    history.add({
      op: 'export',
      account: name,
      era,
      began,
      ended: history.tick(),
      format,
      filter,
      text,
      ...as,
    });
  }

  /** What belongs to an account is to another one as what does not exist. */
  async #asAnother(account: Account): Promise<void> {
    const { chance, accounts } = this.round;
    const other = chance.pick(accounts.filter((one) => one !== account));
    const place = ({ url }: Instance) => ({ base: `${url}/v1`, key: other.key });
    // References that the service chose are of one account alone.
    const own = account.sent.find(
      ({ merchantReference, reference }) => reference !== null && isByKey(merchantReference),
    );
    if (own !== undefined) await this.get(other, `/transactions/${own.reference}`, [404], place);
    const list = await this.get(account, '/transactions');
    if (list?.body.nextCursor != null)
      await this.get(other, `/transactions?cursor=${list.body.nextCursor}`, [400], place);
    const feed = await this.feed(account, null, { after: 0, limit: 1 });
    const [first] = feed?.changes ?? [];
    if (first !== undefined) await this.get(other, `/changes?after=1&afterId=${first.id}`, [409], place);
  }

  /** Reads everything of an account while nothing is recorded: what the era comes to. */
  async readFinally(account: Account): Promise<void> {
    const { history } = this.round;
    const began = history.tick();
    const changes: Change[] = [];
    for (let hasMore = true; hasMore; ) {
      const read = await this.get(account, `/changes?after=${changes.length}&limit=1000`);
      if (read === undefined) return;
      changes.push(...read.body.data);
      hasMore = read.body.hasMore && read.body.data.length > 0;
    }
    const timed = { account: account.name, era: history.era, began, ended: history.tick() };
    history.add({ op: 'final', ...timed, changes });
    await this.walk(account, 'list', {});
    await this.walk(account, 'search', { text: account.name });
    await this.totals(account, {}, null);
    await this.totals(account, {}, 'day');
    await this.export(account, 'ndjson', {}, false);
    await this.export(account, 'csv', {}, false);
    await this.#head(account);
    await this.seal(account);
  }

  /** Seals are computed some seconds after the last recording. */
  async untilSealed(account: Account): Promise<void> {
    const { history } = this.round;
    const final = history.events.findLast((event) => event.op === 'final' && event.account === account.name);
    const head = final?.op === 'final' ? final.changes.length : 0;
    const end = Date.now() + CAUGHT_UP_MS;
    while ((await this.seal(account)) !== head) {
      if (history.isBroken) return;
      if (Date.now() > end)
        return history.add({ op: 'wrong', account: account.name, text: 'the seal does not reach the head' });
      await delay(100);
    }
  }

  async #head({ name }: Account): Promise<void> {
    const { deployment, history } = this.round;
    for (let cursor: string | null = null; ; ) {
      const began = history.tick();
      const answer = await untilAnswered(this.round, ({ operatorUrl }) =>
        send(`${operatorUrl}/v1/accounts?${queryOf({ cursor })}`, { key: deployment.operatorKey }),
      );
      const page = JSON.parse(answer.text);
      const found = page.data.find(({ account }: { account: string }) => account === name);
      const timed = { account: name, era: history.era, began, ended: history.tick() };
      if (found !== undefined || page.nextCursor === null)
        return history.add({
          op: 'head',
          ...timed,
          sequence: found?.headSequence ?? 0,
          id: found?.headId ?? null,
        });
      cursor = page.nextCursor;
    }
  }
}

/** Keeps a copy of the changes of an account, with number and id, through every kill and restore. */
export class Follower extends Reader {
  readonly #account: Account;
  #copy: Change[] = [];

  constructor(round: Round, account: Account) {
    super(round);
    this.#account = account;
  }

  override async step(): Promise<void> {
    const { chance } = this.round;
    const page = { after: this.#copy.length, limit: 1 + chance.below(100), wait: 1 };
    const read = await this.feed(this.#account, this.#copy.at(-1)?.id ?? null, page);
    if (read?.refused === false) this.#copy.push(...read.changes);
    if (read?.refused === true) await this.#rewind();
  }

  /** Finds the last common change by bisection, and forgets those after it. */
  async #rewind(): Promise<void> {
    let common = 0;
    for (let first = this.#copy.length; common < first; ) {
      const middle = Math.ceil((common + first) / 2);
      const read = await this.feed(this.#account, this.#copy[middle - 1]?.id ?? null, {
        after: middle,
        limit: 1,
      });
      if (read === undefined) return;
      if (read.refused) first = middle - 1;
      else common = middle;
    }
    this.#copy = this.#copy.slice(0, common);
  }

  /** Follows until the end of the feed while nothing is recorded. */
  async catchUp(): Promise<void> {
    const { history } = this.round;
    for (;;) {
      const read = await this.feed(this.#account, this.#copy.at(-1)?.id ?? null, {
        after: this.#copy.length,
        limit: 1000,
      });
      if (read?.refused === true) await this.#rewind();
      else if (read !== undefined) this.#copy.push(...read.changes);
      if (read?.refused === false && read.headSequence <= this.#copy.length) break;
    }
    const timed = {
      account: this.#account.name,
      era: history.era,
      began: history.tick(),
      ended: history.tick(),
    };
    history.add({ op: 'copy', ...timed, changes: this.#copy });
  }
}
