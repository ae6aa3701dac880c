import {
  type Access,
  type Account,
  type Action,
  anInstance,
  begin,
  ended,
  ofOne,
  operate,
  type Round,
  untilAnswered,
} from '../account.ts';
import type { Instance } from '../driver.ts';
import { isToBeRepeated, jsonOf, queryOf } from '../http.ts';
import { putNew } from './record.ts';

/** After this time, every instance must refuse a revoked key or an ended session. */
const REFUSED_MS = 1000;
const LATER_MS = REFUSED_MS + 100;

const PEOPLE = ['ada@shop.example', 'grace@shop.example'];

export async function makeOwnKey(round: Round, account: Account): Promise<void> {
  const body = { label: 'judge', scopes: ['read', 'webhooks'] };
  const answer = await operate(round, account, '/keys', { method: 'POST', body });
  if (answer.status !== 201) throw new Error(`no key: ${answer.status} ${answer.text}`);
  account.key = JSON.parse(answer.text).key;
}

async function makeKey(round: Round, account: Account): Promise<Access | undefined> {
  const begun = begin(round, account);
  const answer = await operate(round, account, '/keys', { method: 'POST', body: { scopes: ['read'] } });
  if (answer.status !== 201)
    return void round.history.wrong(account.name, `a key got ${answer.status}: ${answer.text}`);
  const { id, key, expiresAt } = JSON.parse(answer.text);
  const access: Access = { id, key, person: null, expiresAt };
  account.access.push(access);
  round.history.add({ op: 'grant', ...ended(round, begun), id, person: null, owner: null, expiresAt });
  return access;
}

async function rollKey(round: Round, account: Account): Promise<void> {
  const { chance, history } = round;
  const rolled =
    someAccess(round, account, ({ person }) => person === null) ?? (await makeKey(round, account));
  if (rolled === undefined) return;
  const grace = chance.pick(['0', '24h']);
  const begun = begin(round, account);
  const path = `/keys/${rolled.id}/roll`;
  const answer = await operate(round, account, path, { method: 'POST', body: { grace } });
  // 409 means that an earlier attempt, which got no response, has already rolled the key.
  if (answer.status === 409) return forget(account, [rolled.id]);
  if (answer.status !== 201)
    return history.wrong(account.name, `a roll got ${answer.status}: ${answer.text}`);
  const { id, key, expiresAt } = JSON.parse(answer.text);
  const timed = ended(round, begun);
  history.add({ op: 'grant', ...timed, id, person: null, owner: null, expiresAt });
  account.access.push({ id, key, person: null, expiresAt });
  if (grace === '24h') return forget(account, [rolled.id]);
  history.add({ op: 'end', ...timed, how: 'roll', ids: [rolled.id], person: null });
  forget(account, [rolled.id]);
  await useAfterEnd(round, account, [rolled]);
}

function forget(account: Account, ids: readonly string[]): void {
  account.access = account.access.filter(({ id }) => !ids.includes(id));
}

const someAccess = (
  { chance }: Round,
  { access }: Account,
  isWanted: (one: Access) => boolean = () => true,
): Access | undefined => {
  const wanted = access.filter(isWanted);
  return wanted.length === 0 ? undefined : chance.pick(wanted);
};

async function makeSession(
  round: Round,
  account: Account,
  maker: { id: string; key: string } | null = null,
): Promise<Access | undefined> {
  const { chance, driver, history } = round;
  const person = chance.pick(PEOPLE);
  const begun = begin(round, account);
  const body = { person, expiresIn: chance.pick([600, 43_200]) };
  const key = maker?.key ?? driver.operatorKey;
  const made = await operate(round, account, '/sessions', { method: 'POST', key, body });
  if (made.status !== 201)
    return void history.wrong(account.name, `a session got ${made.status}: ${made.text}`);
  const { id, code, expiresAt } = JSON.parse(made.text);
  const exchange = async () => {
    const begun = begin(round, account);
    const { url } = await anInstance(round);
    const opened = await driver.send(`${url}/v1/session`, { method: 'POST', ...jsonOf({ code }) });
    if (!isToBeRepeated(opened))
      history.add({ op: 'open', ...ended(round, begun), id, status: opened.status });
    return opened.status === 201 ? (JSON.parse(opened.text).key as string) : undefined;
  };
  const keys = await Promise.all(chance.is(50) ? [exchange(), exchange()] : [exchange()]);
  const opened = keys.find((one) => one !== undefined);
  if (opened === undefined) return undefined;
  const access: Access = { id, key: opened, person, expiresAt };
  account.access.push(access);
  history.add({ op: 'grant', ...ended(round, begun), id, person, owner: maker?.id ?? null, expiresAt });
  return access;
}

/** Without a response, or with a 503 or 429, a request proves nothing, so it is not in the history. */
async function use(round: Round, account: Account, { id, key }: Access, path: string, instance?: Instance) {
  const { driver, history } = round;
  const used = instance ?? (await anInstance(round));
  const { url, aheadMs: aheadBeforeMs } = used;
  const begun = begin(round, account);
  const wallMs = driver.wallMs();
  const answer = await driver.send(`${url}/v1${path}`, { key });
  // The judge may have set the instance's clock during the request.
  const instanceMs = wallMs + Math.max(aheadBeforeMs, used.aheadMs);
  if (isToBeRepeated(answer)) return;
  const body = JSON.parse(answer.text);
  const rows: { reference?: string; transaction?: { reference: string } }[] = body.data ?? [];
  const seen = rows.flatMap((row) => row.transaction?.reference ?? row.reference ?? []);
  history.add({ op: 'use', ...ended(round, begun), id, status: answer.status, seen, instanceMs });
}

const PATHS = ['/key', '/transactions', '/changes', '/totals', '/search?text=order', '/seal'];

async function useAfterEnd(round: Round, account: Account, ended: readonly Access[]): Promise<void> {
  const { driver, chance } = round;
  await driver.delay(LATER_MS);
  for (const access of ended)
    for (const instance of driver.running()) await use(round, account, access, chance.pick(PATHS), instance);
}

type End = (
  round: Round,
  account: Account,
  access: Access,
) => Promise<{ how: string; ids: string[] } | undefined>;

const accepted = [204, 404];

const ENDS: readonly { isFor(access: Access): boolean; end: End }[] = [
  {
    isFor: ({ person }) => person === null,
    end: async (round, account, { id }) => {
      const { status } = await operate(round, account, `/keys/${id}`, { method: 'DELETE' });
      return accepted.includes(status) ? { how: 'revoked', ids: [id] } : undefined;
    },
  },
  {
    isFor: ({ person }) => person !== null,
    end: async (round, account, { id }) => {
      const { status } = await operate(round, account, `/sessions/${id}`, { method: 'DELETE' });
      return accepted.includes(status) ? { how: 'session ended', ids: [id] } : undefined;
    },
  },
  {
    isFor: ({ person }) => person !== null,
    end: async (round, account, { person }) => {
      const ids = account.access.filter((one) => one.person === person).map(({ id }) => id);
      const path = `/sessions?${queryOf({ person })}`;
      const { status } = await operate(round, account, path, { method: 'DELETE' });
      return status === 204 ? { how: `all of ${person} ended`, ids } : undefined;
    },
  },
  {
    isFor: ({ person }) => person !== null,
    end: async (round, _account, { id, key }) => {
      const { status } = await untilAnswered(round, ({ url }) =>
        round.driver.send(`${url}/v1/session`, { method: 'DELETE', key }),
      );
      // If the first response is lost, the repeated request can get a 401. An expired session gets a 401 too.
      // So a 401 does not prove that signing out ended the session.
      return status === 204 ? { how: 'signed out', ids: [id] } : undefined;
    },
  },
];

async function endInFlight(round: Round, account: Account): Promise<void> {
  const { driver, history, chance } = round;
  const made = chance.is(50) ? makeKey : makeSession;
  const access = (chance.is(50) && someAccess(round, account)) || (await made(round, account));
  if (access === undefined) return;
  let isOver = false;
  const uses = Array.from({ length: 3 }, async () => {
    while (!isOver && !history.isBroken) {
      await use(round, account, access, chance.pick(PATHS));
      await driver.delay(20);
    }
  });
  const head = JSON.parse((await operate(round, account, '/changes?after=0&limit=1')).text);
  const waiting = use(round, account, access, `/changes?after=${head.headSequence ?? 0}&wait=10`);
  await driver.delay(chance.below(60));
  const begun = begin(round, account);
  const { end } = chance.pick(ENDS.filter(({ isFor }) => isFor(access)));
  const done = await end(round, account, access);
  if (done !== undefined) {
    history.add({ op: 'end', ...ended(round, begun), ...done, person: access.person });
    const ids = new Set(done.ids);
    const all = account.access.filter(({ id }) => ids.has(id));
    forget(account, done.ids);
    await useAfterEnd(round, account, all.includes(access) ? all : [access, ...all]);
  } else {
    history.add({ op: 'end', ...ended(round, begun), how: 'perhaps', ids: [], person: access.person });
    forget(account, [access.id]);
  }
  isOver = true;
  // A new change ends the long poll, so the service must check the poll's key again.
  await putNew(round, account);
  await Promise.all([...uses, waiting]);
}

async function endMaker(round: Round, account: Account): Promise<void> {
  const { driver, history } = round;
  const maker = await driver.operator?.makeOperatorKey('sessions');
  if (maker === undefined) return;
  const session = await makeSession(round, account, maker);
  if (session === undefined) return;
  await use(round, account, session, '/key');
  const begun = begin(round, account);
  await driver.operator?.revokeKey(maker.id);
  history.add({ op: 'end', ...ended(round, begun), how: 'maker revoked', ids: [session.id], person: null });
  forget(account, [session.id]);
  await useAfterEnd(round, account, [session]);
}

const hasAccess = ({ access }: Account) => access.length > 0;

export const ACCESS: readonly Action[] = [
  { name: 'make a key', weight: 2, run: ofOne(makeKey) },
  { name: 'make a session', weight: 3, run: ofOne((round, account) => makeSession(round, account)) },
  { name: 'roll a key', weight: 2, run: ofOne(rollKey) },
  {
    name: 'use a key',
    weight: 20,
    run: ofOne(async (round, account) => {
      const access = someAccess(round, account);
      if (access !== undefined) await use(round, account, access, round.chance.pick(PATHS));
    }, hasAccess),
  },
  { name: 'end a key or session in use', weight: 6, run: ofOne(endInFlight) },
  {
    name: 'end the maker of a session',
    weight: 1,
    isPossible: ({ driver }) => driver.operator !== undefined,
    run: ofOne(endMaker),
  },
];
