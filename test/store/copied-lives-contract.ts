import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { auditEntry } from '../../src/audit/audit.ts';
import { recordOnce } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { type Archiving, archive } from '../rig/store/archive.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';
import {
  assertSameContents,
  assertVerified,
  beforeTheMark,
  beside,
  type CopyRun,
  contentsOf,
  copyBetween,
} from '../rig/store/copy.ts';
import { erase } from '../rig/store/erase.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';
import { apiKey } from './api-keys-contract.ts';
import { waitingSession } from './sessions-contract.ts';

const ACCOUNT = 'store-1';
const BEFORE = DAY('2026-03-10');
const DETAILS = '{"customer":"Ada"}';

type Used = Archiving & { store: VerifiedStore };

const paid = (name: string, fields: Partial<AccountTransaction> = {}) =>
  transaction(ACCOUNT, name, { details: DETAILS, createdAtMs: DAY('2026-03-01'), ...fields });
const later = { createdAtMs: DAY('2026-03-20') };
const recordPaid = ({ store }: Used) =>
  record(store, [
    ...['t1', 't2', 't3'].map((name) => paid(name)),
    pending(ACCOUNT, 'open'),
    paid('new', later),
  ]);

async function removeDetails({ store }: Used, ...names: string[]): Promise<void> {
  for (const reference of names.map((name) => `${ACCOUNT}.${name}`)) {
    const entry = auditEntry(someStamp(), 'details.removed', ACCOUNT, reference);
    assert.equal(await store.removeDetails(ACCOUNT, reference, entry), 'removed');
  }
}

const eraseIt = ({ url, store }: Used) => erase(url, ACCOUNT, { store });

async function archiveIt(used: Used): Promise<void> {
  const [archived] = await archive([ACCOUNT], used);
  assert.equal(archived?.outcome, 'archived');
}

const LIVES: {
  name: string;
  before?: (used: Used) => Promise<void>;
  between: (used: Used) => Promise<void>;
}[] = [
  {
    name: 'details are removed, the account is erased, and its references are recorded again with details',
    before: (used) => removeDetails(used, 't1'),
    between: async (used) => {
      await removeDetails(used, 't2');
      await eraseIt(used);
      await recordPaid(used);
    },
  },
  {
    name: 'an erased account has more changes than before, with the same references and times',
    between: async (used) => {
      await eraseIt(used);
      await recordPaid(used);
      await record(used.store, [completed(pending(ACCOUNT, 'open')), paid('t4', later)]);
    },
  },
  { name: 'an account is erased', between: async (used) => void (await eraseIt(used)) },
  {
    name: 'details are removed, also of a transaction that completes since',
    between: async (used) => {
      await record(used.store, [paid('t4', { status: 'pending', paidAtMs: null })]);
      await removeDetails(used, 't1', 't4', 'new');
      await record(used.store, [paid('t4')]);
    },
  },
  {
    name: 'a transaction without details is archived, and its reference is recorded again with details',
    before: (used) => removeDetails(used, 't1'),
    between: async (used) => {
      await removeDetails(used, 't2');
      await archiveIt(used);
      await record(used.store, [paid('t1', later), paid('t2', later)]);
    },
  },
  {
    name: 'an account is archived a second time',
    before: archiveIt,
    between: async (used) => {
      await record(used.store, [paid('t4', { createdAtMs: DAY('2026-03-12') })]);
      await archiveIt({ ...used, beforeMs: DAY('2026-03-15') });
    },
  },
  {
    name: 'keys, sessions, idempotency keys, endpoints and audit entries are made and end',
    before: async ({ store }) => {
      await store.createApiKey(apiKey('key_0000000000000001'), someEntry());
      await store.createApiKey(waitingSession('ses_0000000000000001'), someEntry());
      await store.createWebhook(webhook(1, { account: ACCOUNT }), 20, someEntry());
      await recordOnce(store, paid('once-1'), { key: 'one', fingerprint: 'a'.repeat(64) });
    },
    between: async ({ store }) => {
      await store.revokeApiKey('key_0000000000000001', 9, someEntry());
      await store.createApiKey(apiKey('key_0000000000000002'), someEntry());
      const session = { account: ACCOUNT, person: null, id: 'ses_0000000000000001', nowMs: 9 };
      await store.endSessions(session, someEntry());
      await store.createApiKey(waitingSession('ses_0000000000000002'), someEntry());
      await store.deleteWebhook(ACCOUNT, webhook(1, { account: ACCOUNT }).id, someEntry());
      await store.createWebhook(webhook(2, { account: ACCOUNT }), 20, someEntry());
      await recordOnce(store, paid('once-2'), { key: 'two', fingerprint: 'a'.repeat(64) });
      await store.storeCursorSecret('A'.repeat(43));
    },
  },
];

export function copiedLivesContract(
  name: string,
  makeSource: () => Promise<StoreHarness>,
  makeTarget: () => Promise<StoreHarness>,
): void {
  const opened = async (
    t: TestContext,
  ): Promise<{ used: Used; target: StoreHarness; source: StoreHarness }> => {
    const [source, target] = [await makeSource(), await makeTarget()];
    const { path: folder, remove } = temporaryFolder();
    t.after(async () => {
      remove();
      await source.dispose();
      await target.dispose();
    });
    const store = (await source.open()) as VerifiedStore;
    return { source, target, used: { url: source.url, store, folder, beforeMs: BEFORE } };
  };
  const assertMoved = async (from: string, to: string, run: CopyRun = {}) => {
    const moved = await copyBetween(from, to, { ...run, isMove: true });
    assert.equal(moved.end, 'equal', JSON.stringify(moved));
    assertSameContents(await contentsOf(from), await contentsOf(to));
    await assertVerified(to);
  };

  describe(`a copy from ${name} has what the source has, though meanwhile`, () => {
    for (const { name: life, before = async () => {}, between } of LIVES)
      test(life, async (t) => {
        const { used, target } = await opened(t);
        await recordPaid(used);
        await before(used);
        await assertMoved(used.url, target.url, { through: beforeTheMark(() => between(used)) });
      });
  });

  for (const [what, call, happen] of [
    [
      'details of a new transaction are removed',
      'readRecords',
      async (used: Used) => {
        await record(used.store, [paid('t4')]);
        await removeDetails(used, 't4');
      },
    ],
    ['an account that has lost details is erased', 'findRows', eraseIt],
  ] as const)
    test(`a copy from ${name} that does not mark its source ends, though ${what} while it copies the rest`, async (t) => {
      const { used, target } = await opened(t);
      await recordPaid(used);
      await removeDetails(used, 't1');
      let happened = false;
      const copied = await copyBetween(used.url, target.url, {
        through: ({ source }) => ({
          source: beside(source, async (method) => {
            if (happened || method !== call) return;
            happened = true;
            await happen(used);
          }),
        }),
      });
      assert.deepEqual([copied.end, happened], ['equal', true], JSON.stringify(copied));
      assertSameContents(await contentsOf(used.url), await contentsOf(target.url));
    });

  test(`a copy from ${name} can be verified whatever number an archive ends at, and can be moved back and forth`, async (t) => {
    const { used, source, target } = await opened(t);
    const floors = Array.from({ length: inTier({ short: 20, long: 200 }) }, (_, at) => at + 1);
    const accounts = [...floors, 63, 64, 65, 127, 128, 129, 192].map(
      (floor) => [`f-${floor}`, floor] as const,
    );
    const rows = new Map(accounts)
      .entries()
      .toArray()
      .flatMap(([account, floor]) =>
        Array.from({ length: floor + 2 }, (_, at) =>
          transaction(
            account,
            `${at}`,
            at < floor && (at > 0 || floor === 1) ? { createdAtMs: DAY('2026-03-01') } : later,
          ),
        ),
      );
    for (let first = 0; first < rows.length; first += 500)
      await record(used.store, rows.slice(first, first + 500));
    await assertMoved(used.url, target.url);
    await assertMoved(target.url, source.url);
    await archive([...new Map(accounts).keys()], used);
    await record(used.store, [transaction('f-64', 'last', later)]);
    await assertMoved(source.url, target.url);
    await assertMoved(target.url, source.url);
  });
}
