import {
  type Account,
  type Action,
  anAccount,
  type Begun,
  begin,
  ended,
  ofOne,
  type Round,
  someDay,
  someFilter,
  untilAnswered,
  using,
} from '../account.ts';
import type { Instance } from '../driver.ts';
import type { Change, Export, Feed, Filter, Page, Row, Timed, Walk } from '../history.ts';
import { type Answer, queryOf } from '../http.ts';

const CAUGHT_UP_MS = 120_000;

interface Answered {
  answer: Answer;
  // biome-ignore lint/suspicious/noExplicitAny: a response is judged, so it has no type.
  body: any;
  timed: Timed;
}

type Place = (instance: Instance) => { base: string; key: string };

function somePlace({ chance, driver }: Round, { key, name }: Account): Place {
  return chance.is(60)
    ? ({ url }) => ({ base: `${url}/v1`, key })
    : ({ operatorUrl }) => ({ base: `${operatorUrl}/v1/accounts/${name}`, key: driver.operatorKey });
}

async function get(
  round: Round,
  account: Account,
  path: string,
  expected: readonly number[] = [200],
  place = somePlace(round, account),
): Promise<Answered | undefined> {
  let begun: Begun | undefined;
  const answer = await untilAnswered(round, async (instance) => {
    begun = begin(round, account);
    const { base, key } = place(instance);
    return round.driver.send(`${base}${path}`, { key });
  });
  if (!expected.includes(answer.status) || begun === undefined) {
    const what = `${path} got ${answer.status}, expected ${expected.join(' or ')}: ${answer.text}`;
    round.history.wrong(account.name, what);
    return undefined;
  }
  return { answer, body: JSON.parse(answer.text), timed: ended(round, begun) };
}

const PATHS = { list: '/transactions', search: '/search' };

async function walk(round: Round, account: Account, kind: Walk['kind'], filter: Filter): Promise<void> {
  const { history, chance } = round;
  const pages: Page[] = [];
  const { relatedTo, ...sent } = filter as Record<string, string>;
  const path = kind === 'related' ? `/transactions/${relatedTo}/related` : PATHS[kind];
  const place = somePlace(round, account);
  let query = queryOf(sent);
  const begun = begin(round, account);
  for (;;) {
    const read = await get(round, account, `${path}?${query}`, [200], place);
    if (read === undefined) return;
    const { body, answer, timed } = read;
    pages.push({ began: timed.began, ended: timed.ended, rows: body.data });
    const hasNext = body.nextCursor !== null;
    if (hasNext !== body.hasMore || hasNext !== answer.headers.has('cursor-expires'))
      history.wrong(account.name, `hasMore and nextCursor: ${answer.text}`);
    if (!hasNext) break;
    query = queryOf({ ...(chance.is(50) && sent), cursor: body.nextCursor });
  }
  history.add({ op: 'walk', ...ended(round, begun), kind, filter, pages });
}

function someSearch(round: Round, account: Account): Filter {
  const { chance } = round;
  const { merchantReference, ...filter } = someFilter(round, account) as Record<string, string>;
  const amounts = [0, 1].map(() => chance.below(20_000) - 5000).sort((a, b) => a - b);
  const term = chance.pick([
    () => ({ amount: account.sent[0]?.amount ?? '1.00' }),
    () => ({ amountFrom: `${(amounts[0] as number) / 100}`, amountTo: `${(amounts[1] as number) / 100}` }),
    () => ({
      text: chance.pick(['ORDER', 'comma', `${account.name}-`, 'é \u{1f600}', 'ote', 'Käthe', 'grace']),
    }),
    () => ({ paidFrom: someDay(round) }),
  ]);
  return { ...filter, ...term() };
}

function someReference({ chance }: Round, { sent, former }: Account): string {
  const from = chance.is(10) ? former : sent.slice(-300);
  const references = from.flatMap(({ reference }) => reference ?? []);
  return chance.is(90) && references.length > 0 ? chance.pick(references) : 'nobody';
}

async function retrieve(round: Round, account: Account): Promise<void> {
  const reference = someReference(round, account);
  const read = await get(round, account, `/transactions/${reference}`, [200, 404]);
  if (read === undefined) return;
  const row = read.answer.status === 200 ? (read.body as Row) : null;
  round.history.add({ op: 'retrieve', ...read.timed, reference, row });
}

async function changesOf(round: Round, account: Account): Promise<void> {
  const reference = someReference(round, account);
  const read = await get(round, account, `/transactions/${reference}/changes`, [200, 404]);
  if (read === undefined) return;
  const changes = read.answer.status === 200 ? (read.body.data as Change[]) : null;
  round.history.add({ op: 'changes', ...read.timed, reference, changes });
}

type By = 'day' | 'month' | null;

async function totals(round: Round, account: Account, filter: Filter, by: By): Promise<void> {
  const { merchantReference, ...split } = filter;
  const sent = by === null ? filter : split;
  const read = await get(round, account, `/totals?${queryOf({ ...sent, by })}`);
  if (read === undefined) return;
  const { data: rows, asOf, asOfId } = read.body;
  round.history.add({ op: 'totals', ...read.timed, filter: sent, by, rows, asOf, asOfId });
}

async function seal(round: Round, account: Account): Promise<number> {
  const read = await get(round, account, '/seal');
  if (read === undefined) return -1;
  round.history.add({ op: 'seal', ...read.timed, ...read.body });
  return read.body.sequence;
}

type Page1 = Pick<Feed, 'status' | 'changes' | 'headSequence' | 'floorSequence'>;

async function feed(
  round: Round,
  account: Account,
  afterId: string | null,
  { after, limit, wait = 0 }: { after: number; limit: number; wait?: number },
): Promise<Page1 | undefined> {
  const path = `/changes?${queryOf({ after, afterId, limit, wait })}`;
  const read = await get(round, account, path, afterId === null ? [200, 410] : [200, 409, 410]);
  if (read === undefined) return undefined;
  const { answer, body, timed } = read;
  const isRefused = answer.status !== 200;
  const seen = {
    status: answer.status as Feed['status'],
    changes: isRefused ? [] : (body.data as Change[]),
    lastSequence: isRefused ? after : body.lastSequence,
    lastId: isRefused ? null : body.lastId,
    hasMore: isRefused ? false : body.hasMore,
    headSequence: body.headSequence ?? 0,
    floorSequence: body.floorSequence ?? null,
  };
  round.history.add({ op: 'feed', ...timed, after, afterId, ...seen });
  return seen;
}

async function takeExport(
  round: Round,
  account: Account,
  { format, filter, isCut }: Pick<Export, 'format' | 'filter'> & { isCut: boolean },
): Promise<void> {
  const { history, chance, driver } = round;
  const place = somePlace(round, account);
  let begun = begin(round, account);
  let isFirst = isCut;
  const whole = await untilAnswered(round, (instance) => {
    begun = begin(round, account);
    const { base, key } = place(instance);
    const cut = isFirst ? { cutAfter: 1 + chance.below(3000) } : {};
    isFirst = false;
    return driver.send(`${base}/transactions.${format}?${queryOf(filter)}`, { key, ...cut });
  });
  if (whole.status !== 200)
    return history.wrong(account.name, `an export got ${whole.status}: ${whole.text}`);
  const timed = ended(round, begun);
  const id = whole.headers.get('export-id');
  const lines = whole.text.split('\n');
  const own = format === 'ndjson' ? JSON.parse(lines.at(-2) ?? '{}').export : undefined;
  const text =
    own === undefined ? whole.text : `${lines.slice(0, -2).join('\n')}${lines.length > 2 ? '\n' : ''}`;
  const read = await get(round, account, `/exports/${id}`, [200], place);
  if (read === undefined) return;
  if (own !== undefined && JSON.stringify(own) !== JSON.stringify(read.body))
    history.wrong(account.name, `two manifests of ${id}: ${lines.at(-2)}, ${read.answer.text}`);
  history.add({
    op: 'export',
    ...timed,
    format,
    filter,
    text,
    asOf: Number(whole.headers.get('export-as-of')),
    asOfId: whole.headers.get('export-as-of-id'),
    manifest: read.body,
  });
}

async function asAnother(round: Round, account: Account, other: Account): Promise<void> {
  const place = ({ url }: Instance) => ({ base: `${url}/v1`, key: other.key });
  // The judge asks only for a reference that the service chose, because no other account can have it.
  const own = account.sent.findLast(({ reference }) => reference?.startsWith('tx_') === true);
  if (own !== undefined) await get(round, other, `/transactions/${own.reference}`, [404], place);
  const list = await get(round, account, '/transactions');
  if (list?.body.nextCursor != null)
    await get(round, other, `/transactions?cursor=${list.body.nextCursor}`, [400], place);
  const { headSequence, headId } = await headOf(round, account);
  if (headId !== null)
    await get(round, other, `/changes?after=${headSequence}&afterId=${headId}`, [409, 410], place);
}

export async function headOf(
  round: Round,
  { name }: Account,
): Promise<{ headSequence: number; headId: string | null }> {
  for (let cursor: string | null = null; ; ) {
    const answer = await untilAnswered(round, ({ operatorUrl }) =>
      round.driver.send(`${operatorUrl}/v1/accounts?${queryOf({ cursor })}`, {
        key: round.driver.operatorKey,
      }),
    );
    const page = JSON.parse(answer.text);
    const found = page.data?.find(({ account }: { account: string }) => account === name);
    if (found !== undefined || page.nextCursor == null) return found ?? { headSequence: 0, headId: null };
    cursor = page.nextCursor;
  }
}

export async function readFinally(round: Round, account: Account): Promise<void> {
  const { history } = round;
  const begun = begin(round, account);
  const changes: Change[] = [];
  let after = 0;
  for (let hasMore = true; hasMore; ) {
    const read = await get(round, account, `/changes?after=${after}&limit=1000`, [200, 410]);
    if (read === undefined) return;
    if (read.answer.status === 410) {
      after = read.body.floorSequence;
      continue;
    }
    changes.push(...read.body.data);
    after = read.body.lastSequence;
    hasMore = read.body.hasMore && read.body.data.length > 0;
  }
  history.add({ op: 'final', ...ended(round, begun), changes });
  await walk(round, account, 'list', {});
  await walk(round, account, 'search', { text: account.name });
  await totals(round, account, {}, null);
  await totals(round, account, {}, 'day');
  await takeExport(round, account, { format: 'ndjson', filter: {}, isCut: false });
  await takeExport(round, account, { format: 'csv', filter: {}, isCut: false });
  const looked = begin(round, account);
  const { headSequence: sequence, headId: id } = await headOf(round, account);
  history.add({ op: 'head', ...ended(round, looked), sequence, id });
  await seal(round, account);
}

export async function untilSealed(round: Round, account: Account): Promise<void> {
  const { history, driver } = round;
  const { headSequence } = await headOf(round, account);
  const end = driver.nowMs() + CAUGHT_UP_MS;
  while ((await seal(round, account)) !== headSequence) {
    if (history.isBroken) return;
    if (driver.nowMs() > end) return history.wrong(account.name, 'the seal does not reach the head');
    await driver.delay(100);
  }
}

export class Follower {
  readonly #round: Round;
  readonly #account: Account;
  #copy: Change[] = [];
  /** Earlier copies of all changes. They contain changes that are archived by now. */
  readonly #earlier: Change[][] = [];

  constructor(round: Round, account: Account) {
    this.#round = round;
    this.#account = account;
  }

  async step(): Promise<void> {
    const { chance, driver } = this.#round;
    if (this.#account.mode === 'closed') return driver.delay(10);
    await using([this.#account], () => this.#read(1 + chance.below(100), 1));
  }

  async #read(limit: number, wait = 0): Promise<number> {
    const page = { after: this.#copy.length, limit, wait };
    const read = await feed(this.#round, this.#account, this.#copy.at(-1)?.id ?? null, page);
    if (read === undefined) return 0;
    if (read.status === 409) await this.#rewind();
    else if (read.status === 410) await this.#beginAgain(read.floorSequence ?? 0);
    else this.#copy.push(...read.changes);
    return read.status === 200 ? read.headSequence - this.#copy.length : 1;
  }

  /** Finds by bisection which changes the service still has, and drops the others. */
  async #rewind(): Promise<void> {
    let common = 0;
    for (let first = this.#copy.length; common < first; ) {
      const middle = Math.ceil((common + first) / 2);
      const id = this.#copy[middle - 1]?.id ?? null;
      const read = await feed(this.#round, this.#account, id, { after: middle, limit: 1 });
      if (read === undefined) return;
      if (read.status === 409) first = middle - 1;
      else common = middle;
    }
    this.#copy = this.#copy.slice(0, common);
  }

  /** The service no longer sends the changes up to `floor`, so they are taken from an earlier copy. */
  async #beginAgain(floor: number): Promise<void> {
    const { history } = this.#round;
    for (const copy of this.#earlier.toReversed()) {
      const id = copy[floor - 1]?.id;
      if (id === undefined) continue;
      const read = await feed(this.#round, this.#account, id, { after: floor, limit: 1 });
      if (read?.status !== 200) continue;
      this.#copy = copy.slice(0, floor);
      return;
    }
    history.wrong(this.#account.name, `no copy of a reader reaches the floor ${floor}`);
  }

  /** Call this only while no recording is in flight. */
  async catchUp(): Promise<void> {
    const { history } = this.#round;
    while ((await this.#read(1000)) > 0 && !history.isBroken);
    this.#earlier.push([...this.#copy]);
    const begun = begin(this.#round, this.#account);
    history.add({ op: 'followed', ...ended(this.#round, begun), changes: [...this.#copy] });
  }
}

export const READINGS: readonly Action[] = [
  { name: 'list', weight: 20, run: ofOne((round, one) => walk(round, one, 'list', someFilter(round, one))) },
  {
    name: 'search',
    weight: 10,
    run: ofOne((round, one) => walk(round, one, 'search', someSearch(round, one))),
  },
  {
    name: 'related',
    weight: 4,
    run: ofOne((round, one) => walk(round, one, 'related', { relatedTo: someReference(round, one) })),
  },
  { name: 'retrieve', weight: 10, run: ofOne(retrieve) },
  { name: 'changes of one', weight: 4, run: ofOne(changesOf) },
  {
    name: 'totals',
    weight: 10,
    run: ofOne((round, one) =>
      totals(round, one, someFilter(round, one), round.chance.pick([null, 'day', 'month'] as const)),
    ),
  },
  {
    name: 'export',
    weight: 8,
    run: ofOne((round, one) =>
      takeExport(round, one, {
        format: round.chance.pick(['csv', 'ndjson'] as const),
        filter: someFilter(round, one),
        isCut: round.chance.is(40),
      }),
    ),
  },
  {
    name: 'changes',
    weight: 10,
    run: ofOne((round, one) => feed(round, one, null, { after: 0, limit: 1 + round.chance.below(200) })),
  },
  { name: 'seal', weight: 8, run: ofOne(seal) },
  {
    name: 'as another account',
    weight: 6,
    run: async (round) => {
      const [one, other] = [anAccount(round), anAccount(round)];
      if (one === undefined || other === undefined || one === other) return;
      await using([one, other], () => asAnother(round, one, other));
    },
  },
];
