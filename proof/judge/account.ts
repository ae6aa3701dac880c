import type { Driver, Instance, Received } from './driver.ts';
import type { Chance, Filter, Given, History, Timed } from './history.ts';
import { type Answer, isToBeRepeated, jsonOf } from './http.ts';

/** A key or a session that the judge uses and then ends. It is never `Account.key`. */
export interface Access {
  id: string;
  key: string;
  person: string | null;
  expiresAt: string | null;
}

type Mode = 'open' | 'closed' | 'archiving';

export class Account {
  readonly name: string;
  life = 0;
  /** The judge reads the account with this key, so the key never ends. */
  key = '';
  sent: Given[] = [];
  /** Erased transactions. New transactions use the erased references again. */
  former: Given[] = [];
  once: { key: string; given: Given }[] = [];
  access: Access[] = [];
  /** `place` is the path for deliveries. An endpoint gets the changes with numbers above `after`. */
  endpoints: { id: string; secret: string; place: string; after: number }[] = [];
  archivedBefore: string | null = null;
  files: string[] = [];
  mode: Mode = 'open';
  active = 0;

  constructor(name: string) {
    this.name = name;
  }

  beginAgain(): void {
    this.former = [...this.sent.filter(({ reference }) => reference !== null), ...this.former].slice(0, 200);
    Object.assign(this, {
      life: this.life + 1,
      sent: [],
      once: [],
      access: [],
      endpoints: [],
      archivedBefore: null,
      files: [],
    });
  }
}

export interface Round {
  driver: Driver;
  history: History;
  chance: Chance;
  accounts: Account[];
  named: number;
  followers: Map<Account, { catchUp(): Promise<void> }>;
  /** If true, the judge causes no more failures, and receivers accept every delivery. */
  isCalm: boolean;
  /** If the judge does not know the endpoint of a delivery yet, the delivery waits here under its path. */
  early: Map<string, { received: Received; timed: Timed }[]>;
  /** Undefined if the judge receives no webhooks. */
  inbox: string | undefined;
  backup?: Map<Account, Partial<Account>>;
}

export type Begun = Omit<Timed, 'ended' | 'endedMs'>;

export const begin = ({ history, driver }: Round, { name, life }: Account): Begun => ({
  account: name,
  life,
  began: history.tick(),
  beganMs: driver.nowMs(),
});

export const ended = ({ history, driver }: Round, begun: Begun): Timed => ({
  ...begun,
  ended: history.tick(),
  endedMs: driver.nowMs(),
});

export function anAccount({ accounts, chance }: Round, isWanted = (_: Account) => true): Account | undefined {
  const open = accounts.filter((account) => account.mode !== 'closed' && isWanted(account));
  return open.length === 0 ? undefined : chance.pick(open);
}

export async function using<Result>(accounts: readonly Account[], work: () => Promise<Result>) {
  for (const account of accounts) account.active++;
  try {
    return await work();
  } finally {
    for (const account of accounts) account.active--;
  }
}

/** Runs an action while no worker uses the accounts and no request for them is in flight. */
export async function whileClosed<Result>(
  { driver, history }: Round,
  accounts: readonly Account[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const account of accounts) account.mode = 'closed';
  while (accounts.some(({ active }) => active > 0) && !history.isBroken) await driver.delay(5);
  const result = await work();
  for (const account of accounts) if (account.mode === 'closed') account.mode = 'open';
  return result;
}

export async function anInstance({ driver, chance, history }: Round): Promise<Instance> {
  for (;;) {
    const running = driver.running();
    if (running.length > 0) return chance.pick(running);
    if (history.isBroken) throw new Error('the round has ended, and no instance is running');
    await driver.delay(20);
  }
}

export async function untilAnswered(round: Round, request: (instance: Instance) => Promise<Answer>) {
  const { driver, history } = round;
  const end = driver.nowMs() + driver.patienceMs;
  for (;;) {
    const answer = await request(await anInstance(round));
    if (!isToBeRepeated(answer)) return answer;
    if (history.isBroken) return answer;
    if (driver.nowMs() > end) {
      history.wrong(
        '',
        `no answer for ${driver.patienceMs} ms, the last is ${answer.status} to ${answer.request}: ${answer.text}`,
      );
      return answer;
    }
    await driver.delay(30);
  }
}

interface OperatorRequest {
  method?: string;
  key?: string;
  body?: object;
  headers?: Record<string, string>;
}

export const asOperator =
  (
    { driver }: Round,
    { name }: Account,
    path: string,
    { method = 'GET', key = driver.operatorKey, body, headers }: OperatorRequest = {},
  ) =>
  ({ operatorUrl }: Instance): Promise<Answer> =>
    driver.send(`${operatorUrl}/v1/accounts/${name}${path}`, { method, key, ...jsonOf(body, headers) });

export const operate = (
  round: Round,
  account: Account,
  path: string,
  request?: OperatorRequest,
): Promise<Answer> => untilAnswered(round, asOperator(round, account, path, request));

export interface Action {
  readonly name: string;
  readonly weight: number;
  isPossible?(round: Round): boolean;
  run(round: Round): Promise<void>;
}

export const ofOne =
  (run: (round: Round, account: Account) => Promise<unknown>, isWanted?: (account: Account) => boolean) =>
  async (round: Round) => {
    const account = anAccount(round, isWanted);
    if (account !== undefined) await using([account], () => run(round, account));
  };

export function anAction(round: Round, actions: readonly Action[]): Action | undefined {
  const possible = actions.filter(({ isPossible }) => isPossible?.(round) ?? true);
  return possible.length === 0 ? undefined : round.chance.weighted(possible);
}

const DAY_MS = 86_400_000;

export const dayBefore = (wallMs: number, days: number): string =>
  new Date(wallMs - days * DAY_MS).toISOString().slice(0, 10);

export const someDay = ({ chance, driver }: Round): string =>
  dayBefore(driver.wallMs(), 2 + chance.below(60));

export function someFilter(round: Round, { sent }: Account): Filter {
  const { chance } = round;
  const filter: Record<string, string> = {};
  if (chance.is(30)) filter['status'] = chance.pick(['pending', 'completed', 'failed']);
  if (chance.is(30)) filter['currency'] = chance.pick(['EUR', 'USD', 'JPY', 'KWD']);
  const days = [someDay(round), someDay(round)].sort();
  if (chance.is(30)) filter['from'] = days[0] as string;
  if (chance.is(30)) filter['to'] = days[1] as string;
  if (chance.is(20)) filter['timeZone'] = chance.pick(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']);
  const text = chance.is(5) && sent.length > 0 ? chance.pick(sent).merchantReference : null;
  return text === null ? filter : { merchantReference: text };
}
