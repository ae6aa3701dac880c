import {
  type Account,
  type Action,
  asOperator,
  begin,
  dayBefore,
  ended,
  type Round,
  using,
  whileClosed,
} from '../account.ts';
import { cells } from '../arithmetic.ts';
import type { Operator } from '../driver.ts';
import type { Given, Row } from '../history.ts';
import { isToBeRepeated } from '../http.ts';
import { makeOwnKey } from './access.ts';
import { headOf, readFinally } from './read.ts';
import { recordCompleted, removeDetails, withoutServiceReferences } from './record.ts';
import { retryFailures } from './webhooks.ts';

/* The operator's actions happen one after the other. */

const HOUR_MS = 3_600_000;
const ARCHIVE_RETRY_MS = 500;
const RETRIED_AFTER = 10;
const BLOCK_CHANGES = 64;

export async function readToEnd(round: Round, account: Account): Promise<void> {
  await round.followers.get(account)?.catchUp();
  await readFinally(round, account);
}

async function backUp(round: Round, operator: Operator): Promise<void> {
  const { history, accounts } = round;
  const lives = Object.fromEntries(accounts.map(({ name, life }) => [name, life]));
  round.backup = new Map(accounts.map((account) => [account, structuredClone({ ...account })]));
  history.add({ op: 'backup', began: history.tick(), lives });
  await operator.backUp();
}

async function restore(round: Round, operator: Operator): Promise<void> {
  const { history, accounts, backup } = round;
  await whileClosed(round, accounts, async () => {
    for (const account of accounts) await readToEnd(round, account);
    await operator.restore(() => {
      for (const account of accounts) {
        const { sent, former, life } = account;
        const { mode: _, active: __, ...then } = structuredClone(backup?.get(account) ?? account);
        // A restore can make revoked keys valid again, so keys from before the restore are not judged.
        Object.assign(account, then, {
          life: life + 1,
          sent: withoutServiceReferences(sent),
          former,
          access: [],
        });
      }
      const lives = Object.fromEntries(accounts.map(({ name, life }) => [name, life]));
      history.add({ op: 'restore', lives });
    });
  });
}

async function erase(round: Round, operator: Operator): Promise<void> {
  const { history, chance, driver, accounts } = round;
  const account = chance.pick(accounts);
  await whileClosed(round, [account], async () => {
    await readToEnd(round, account);
    const { access, key } = account;
    const begun = begin(round, account);
    let isOver = false;
    const erasing = operator.erase(account.name).finally(() => {
      isOver = true;
    });
    account.beginAgain();
    const reading = (async () => {
      for (; !isOver && !history.isBroken; await driver.delay(50)) {
        await recordBeside(round, account);
      }
    })();
    const failure = await erasing;
    if (failure !== undefined) history.wrong(account.name, `erase: ${failure}`);
    const ids = access.map(({ id }) => id);
    history.add({ op: 'end', ...ended(round, begun), how: 'erased', ids, person: null });
    await reading;
    await driver.delay(1100);
    for (const { url } of driver.running()) {
      const answer = await driver.send(`${url}/v1/transactions`, { key });
      if (answer.status !== 401 && !isToBeRepeated(answer))
        history.wrong(account.name, `a key of an erased account got ${answer.status}: ${answer.text}`);
    }
    await makeOwnKey(round, account);
  });
}

async function recordBeside(round: Round, account: Account): Promise<void> {
  const { driver, history } = round;
  const given = account.former.find(({ merchantReference }) => merchantReference !== null);
  const instance = driver.running()[0];
  if (given === undefined || instance === undefined) return;
  const { reference, ...fields } = given;
  const begun = begin(round, account);
  const request = { method: 'PUT', body: fields };
  const answer = await asOperator(round, account, `/transactions/${reference}`, request)(instance);
  // The transaction may have been recorded and then erased, so the outcome is unknown.
  history.add({ op: 'record', ...ended(round, begun), given, outcome: 'unknown' });
  account.sent.push(given);
  if (![200, 201, 409, 422].includes(answer.status) && !isToBeRepeated(answer))
    history.wrong(account.name, `a recording during an erasure got ${answer.status}: ${answer.text}`);
}

async function archive(round: Round, operator: Operator): Promise<void> {
  const { history, chance, driver, accounts } = round;
  const account = chance.pick(accounts);
  const days = 2 + chance.below(50);
  const before = dayBefore(driver.wallMs(), days);
  const earlier = account.archivedBefore;
  const until = earlier !== null && earlier > before ? earlier : before;
  const folder = `archive-${account.name}-${account.life}`;
  await whileClosed(round, [account], async () => {
    if (until === before && chance.is(30)) {
      const { headSequence } = await headOf(round, account);
      const count = BLOCK_CHANGES - (headSequence % BLOCK_CHANGES);
      await recordCompleted(round, account, { count, day: dayBefore(driver.wallMs(), days + 1) });
    }
    await readToEnd(round, account);
    forgetLost(round, account, until);
    account.archivedBefore = until;
    account.mode = 'archiving';
  });
  const begun = begin(round, account);
  let isKilled = chance.is(60);
  for (let waited = 0; ; ) {
    const ended_ = await operator.archive(account.name, folder, before, isKilled);
    if (ended_.end === 'interrupted') {
      history.did('the archive is killed');
      isKilled = false;
      for (let count = chance.below(4); count > 0; count--)
        await using([account], () => removeDetails(round, account));
    } else if (ended_.end === 'outstanding') {
      if (++waited % RETRIED_AFTER === 0) await retryFailures(round, account);
      await driver.delay(ARCHIVE_RETRY_MS);
    } else if (ended_.end === 'failed') return history.wrong(account.name, `archive: ${ended_.text}`);
    else {
      const fresh = [...ended_.files].filter(([name]) => !account.files.includes(name));
      account.files.push(...fresh.map(([name]) => name));
      const rows = fresh.flatMap(([, csv]) => rowsOf(csv));
      const timed = ended(round, begun);
      await whileClosed(round, [account], async () => {
        if (rows.length === 0) account.archivedBefore = earlier;
        else history.add({ op: 'archive', ...timed, before: until, rows });
      });
      return;
    }
    if (history.isBroken) return;
  }
}

/**
 * Forgets transactions before `until` that are not in the feed, for example because a restore has lost them.
 * If the judge sent one again, the service would refuse it as a new transaction of an archived day.
 */
function forgetLost({ history }: Round, account: Account, until: string): void {
  const final = history.events.findLast((event) => event.op === 'final' && event.account === account.name);
  const rows = final?.op === 'final' ? final.changes.map(({ transaction }) => transaction) : [];
  const read = new Set(rows.flatMap(({ reference, merchantReference }) => [reference, merchantReference]));
  const isLeft = ({ reference, merchantReference, createdAt }: Given) =>
    createdAt >= until || read.has(reference ?? merchantReference);
  account.sent = account.sent.filter(isLeft);
  account.once = account.once.filter(({ given }) => isLeft(given));
}

function rowsOf(csv: string): Row[] {
  const [header = '', ...lines] = csv.split('\r\n').slice(0, -1);
  const names = cells(header);
  return lines.map((line) => {
    const values = cells(line);
    const given = Object.fromEntries(names.map((name, at) => [name, values[at] || null]));
    const { account: _, relatedTo, details, detailsRemovedAt, ...fields } = given;
    return {
      ...fields,
      ...(relatedTo != null && { relatedTo }),
      ...(details != null && { details: JSON.parse(details) }),
      ...(detailsRemovedAt != null && { detailsRemovedAt }),
    } as Row;
  });
}

async function copy(round: Round, operator: Operator): Promise<void> {
  const { history, chance } = round;
  const failure = await operator.copy(chance.is(30));
  if (failure !== undefined) history.wrong('', failure);
}

type Run = (round: Round, operator: Operator) => Promise<unknown>;

const some = ({ chance }: Round, { instances }: Operator): number => chance.below(instances);

const step = (
  name: string,
  weight: number,
  run: Run,
  isPossible: Action['isPossible'] = () => true,
): Action => ({
  name,
  weight,
  isPossible: (round) => round.driver.operator !== undefined && isPossible(round),
  run: async (round) => void (await run(round, round.driver.operator as Operator)),
});

/** Times below, between and above KEY_ENDS_FRESH_MS (0.9 s) and LEASE_MS (6 s). */
const SUSPENDED_MS = [200, 1500, 2500, 8000];
const AHEAD_MS = [0, 2 * HOUR_MS, -2 * HOUR_MS, 6 * HOUR_MS];

export const OPERATIONS: readonly Action[] = [
  step('an instance is killed', 3, (round, operator) => operator.restartInstance(some(round, operator))),
  step('an instance is suspended', 3, (round, operator) =>
    operator.suspendInstance(some(round, operator), round.chance.pick(SUSPENDED_MS)),
  ),
  step('the database is killed', 2, (_, operator) => operator.restartDatabase()),
  step(
    'a clock is set',
    3,
    (round, operator) => operator.setClock(some(round, operator), round.chance.pick(AHEAD_MS)),
    ({ driver }) => driver.operator?.setsClocks === true,
  ),
  step('everything is killed for a backup', 2, backUp),
  step('the backup is restored', 3, restore, ({ backup }) => backup !== undefined),
  step('an account is erased', 2, erase),
  step('an account is archived', 5, archive),
  step('the service moves to its other database', 3, copy),
];
