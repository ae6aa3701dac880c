import assert from 'node:assert/strict';
import { ModelAccount, type ModelKey } from '../model/ledger.ts';
import { type Shown, shownOf } from '../model/transactions.ts';
import { Random } from '../rig/run/random.ts';
import {
  assertArchived,
  besideArchive,
  besideErasure,
  besideOther,
  sometimes,
  untilEnded,
} from './beside.ts';
import { randomArchiveDay } from './random-transactions.ts';
import { csvRecords, FIELDS, READINGS, readAccounts } from './readings.ts';
import { batch, importFile, killed, post, postOnce, put, removeDetails } from './recordings.ts';
import type { SentTransaction, World } from './world.ts';

const NAMES = ['shop-1', 'shop-2'];
const HOUR_MS = 3_600_000;
const CLOCKS_MS = [0, 0, 1, -1, 23, 26, -26, 30 * 24, -30 * 24, -90 * 24].map((hours) => hours * HOUR_MS);

interface Backup {
  accounts: Map<string, ModelAccount>;
  restore: () => Promise<void>;
}

/** One step of a history: what it does is decided by its own seed and by what the model has. */
type Step = (history: History, random: Random) => Promise<void>;

const anyName = (random: Random) => random.pick(NAMES);

const STEPS: Record<string, { weight: number; step: Step }> = {
  put: { weight: 30, step: ({ world }, random) => put(world, anyName(random), random) },
  post: { weight: 12, step: ({ world }, random) => post(world, anyName(random), random) },
  batch: { weight: 14, step: ({ world }, random) => batch(world, NAMES, random) },
  removeDetails: {
    weight: 4,
    step: ({ world }, random) => removeDetails(world, anyName(random), random),
  },
  import: { weight: 2, step: ({ world }, random) => importFile(world, NAMES, random) },
  read: {
    weight: 30,
    step: ({ world }, random) => random.pick(READINGS)(world, anyName(random), random),
  },
  readAll: { weight: 6, step: (history, random) => history.readAll(random) },
  accounts: { weight: 2, step: ({ world }) => readAccounts(world) },
  createKey: { weight: 4, step: (history, random) => history.createKey(random) },
  rollKey: { weight: 4, step: (history, random) => history.rollKey(random) },
  revokeKey: { weight: 4, step: (history, random) => history.revokeKey(random) },
  checkKeys: { weight: 4, step: (history, random) => history.checkKeys(anyName(random)) },
  archive: { weight: 5, step: (history, random) => history.archive(random) },
  erase: { weight: 2, step: (history, random) => history.erase(random) },
  copy: { weight: 1, step: (history, random) => history.copy(random) },
  backUp: { weight: 1, step: (history) => history.backUp() },
  restore: { weight: 2, step: (history) => history.restore() },
  restart: { weight: 2, step: (history) => history.restart() },
  kill: { weight: 4, step: ({ world }, random) => killed(world, NAMES, random) },
  pause: {
    weight: 2,
    step: ({ world }, random) => world.deployment.pause(() => put(world, anyName(random), random)),
  },
  clock: { weight: 4, step: (history, random) => history.setClock(random) },
};

const WEIGHTED = Object.entries(STEPS).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));

/** The columns of an archive that follow these fields: the changes of its row. */
const CHANGES_OF_ROW = 6;

/** A transaction of the file of an archive, which has the optional columns only where a transaction of the file needs them. */
function archivedOf(cells: readonly string[]): Shown {
  const values = cells.map((cell) => (cell === '' ? null : cell));
  const [relatedTo = null, details = null, detailsRemovedAt = null] = values.slice(
    FIELDS.length + CHANGES_OF_ROW,
  );
  return {
    ...Object.fromEntries(FIELDS.map((field, at) => [field, values[at] ?? null])),
    ...(relatedTo !== null && { relatedTo }),
    ...(details !== null && { details: JSON.parse(details) }),
    ...(detailsRemovedAt !== null && { detailsRemovedAt }),
  } as unknown as Shown;
}

export class History {
  readonly world: World;
  #backup: Backup | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** Takes the steps of some seeds, and then compares everything. */
  async run(seeds: readonly number[]): Promise<void> {
    for (const seed of seeds) await this.#step(seed);
    this.world.note('at the end');
    await this.readAll(new Random(0));
    await readAccounts(this.world);
    assert.deepEqual(await this.world.deployment.verify(), []);
  }

  async #step(seed: number): Promise<void> {
    const random = new Random(seed);
    const name = random.pick(WEIGHTED);
    this.world.note(`# ${name}`);
    await STEPS[name]?.step(this, random);
  }

  async readAll(random: Random): Promise<void> {
    for (const name of NAMES) for (const reading of READINGS) await reading(this.world, name, random);
  }

  async createKey(random: Random): Promise<void> {
    const hours = random.pick([1, 25, 24 * 40]);
    const expiresAt = new Date(Math.floor(this.world.now()) + hours * HOUR_MS).toISOString();
    const scopes = random.pick([['read'], ['webhooks'], ['read', 'webhooks']]);
    await this.world.createKey(anyName(random), random.chance(0.5) ? { scopes } : { scopes, expiresAt });
  }

  #anyKey(random: Random): { name: string; key: ModelKey } | undefined {
    const name = anyName(random);
    const { keys } = this.world.account(name);
    return keys.length === 0 ? undefined : { name, key: random.pick(keys) };
  }

  async rollKey(random: Random): Promise<void> {
    const { world } = this;
    const { name, key } = this.#anyKey(random) ?? {};
    if (name === undefined || key === undefined) return;
    await this.#roll(name, key, random);
    // In the grace of the first roll.
    if (world.isUsable(key) && random.chance(0.4)) await this.#roll(name, key, random);
  }

  async #roll(name: string, key: ModelKey, random: Random): Promise<void> {
    const { world } = this;
    const [grace, graceMs] = random.pick([
      ['0', 0],
      ['1h', HOUR_MS],
      ['24h', 24 * HOUR_MS],
    ] as const);
    const isUsable = world.isUsable(key);
    const answer = await world.operator(`/v1/accounts/${name}/keys/${key.id}/roll`, {
      method: 'POST',
      body: { grace },
    });
    assert.equal(answer?.status, isUsable ? 201 : 409, answer?.text);
    if (!isUsable) return;
    const { body } = answer;
    assert.deepEqual(body.scopes, key.scopes);
    const endsMs = Math.min(
      Date.parse(body.createdAt) + graceMs,
      key.expiresAtMs ?? Number.POSITIVE_INFINITY,
    );
    assert.equal(body.replaced.expiresAt, new Date(endsMs).toISOString());
    key.expiresAtMs = endsMs;
    // Without a grace, the key has ended for every clock.
    key.isRevoked = graceMs === 0;
    world.addKey(name, body, key.lifetimeMs);
    await world.deployment.untilKeysAreKnown();
    await this.checkKeys(name);
  }

  async revokeKey(random: Random): Promise<void> {
    const { name, key } = this.#anyKey(random) ?? {};
    if (name === undefined || key === undefined) return;
    const answer = await this.world.operator(`/v1/accounts/${name}/keys/${key.id}`, { method: 'DELETE' });
    assert.equal(answer?.status, 204, answer?.text);
    key.isRevoked = true;
    await this.world.deployment.untilKeysAreKnown();
    await this.checkKeys(name);
  }

  /** Each key that was ever made is accepted or refused as it should be, and the list of keys has those that are left. */
  async checkKeys(name: string): Promise<void> {
    const { world } = this;
    const { keys } = world.account(name);
    for (const key of keys) await this.#checkKey(name, key, world.isUsable(key));
    const answer = await world.operator(`/v1/accounts/${name}/keys`);
    assert.equal(answer?.status, 200, answer?.text);
    if (answer.body.hasMore) return;
    const shown = (id: string, state: string, scopes: string[]) => [id, state, scopes.join()].join(' ');
    assert.deepEqual(
      answer.body.data
        .map((one: { id: string; state: string; scopes: string[] }) =>
          shown(one.id, one.state === 'active' ? one.state : 'ended', one.scopes),
        )
        .sort(),
      keys.map((key) => shown(key.id, world.isUsable(key) ? 'active' : 'ended', key.scopes)).sort(),
    );
  }

  async #checkKey(name: string, { id, key }: ModelKey, isUsable: boolean): Promise<void> {
    const answer = await this.world.deployment.sendPublic('/v1/key', { key });
    assert.equal(answer?.status, isUsable ? 200 : 401, `the key ${id} of ${name}: ${answer?.text}`);
    if (isUsable) assert.deepEqual([answer?.body.account, answer?.body.id], [name, id]);
  }

  async archive(random: Random): Promise<void> {
    const { world } = this;
    const name = anyName(random);
    const account = world.account(name);
    const before = randomArchiveDay(random);
    const atLeast = account.archivable(before);
    world.note(`archive ${name} before ${before}: ${atLeast.map(({ reference }) => reference).join(' ')}`);
    const happen = () =>
      random.chance(0.5)
        ? besideOther(world, NAMES, name, random)
        : besideArchive(world, name, { before, random });
    const beside = sometimes(random, happen, world);
    const folder = world.newName();
    const lines = await untilEnded(() => world.deployment.archive(name, { before, folder }, beside));
    const records = csvRecords(lines.map((line) => `${line}\r\n`).join(''));
    const moved = assertArchived(account, { before, atLeast, moved: records.map((cells) => cells[1] ?? '') });
    assert.deepEqual(
      records.map(([, ...cells]) => archivedOf(cells)),
      moved.map(shownOf),
    );
    account.archive(moved, before);
    for (const reading of READINGS) await reading(world, name, random);
  }

  async erase(random: Random): Promise<void> {
    const { world } = this;
    const name = anyName(random);
    const { keys, head, idempotencyKeys } = world.account(name);
    world.note(`erase ${name}`);
    const recorded: SentTransaction[] = [];
    const happen = async () => {
      if (random.chance(0.5)) return besideOther(world, NAMES, name, random);
      const again = await besideErasure(world, name, { keys, random });
      recorded.push(...again.map((transaction) => ({ account: name, transaction })));
    };
    const beside = sometimes(random, head > 0 || keys.length > 0 ? happen : async () => {}, world);
    let isErased = false;
    await untilEnded(async () => {
      // What was there is found by the first run.
      isErased ||= head > 0 || keys.length > 0;
      const found = await world.deployment.erase(name, beside);
      if (!isErased) assert.equal(found, false);
    });
    world.accounts.set(name, new ModelAccount());
    await world.deployment.untilKeysAreKnown();
    await world.settle(name, recorded, random);
    for (const key of keys) await this.#checkKey(name, key, false);
    // An account that begins again knows none of its keys of before.
    for (const [key, transaction] of idempotencyKeys)
      if (random.chance(0.5)) await postOnce(world, name, { key, transaction, random });
  }

  async copy(random: Random): Promise<void> {
    const { world } = this;
    await world.deployment.copy(sometimes(random, () => put(world, anyName(random), random), world));
    this.#backup = undefined;
    await this.readAll(new Random(1));
  }

  async backUp(): Promise<void> {
    const restore = await this.world.deployment.backUp();
    this.#backup = { accounts: this.world.snapshot(), restore };
  }

  async restore(): Promise<void> {
    if (this.#backup === undefined) return;
    await this.#backup.restore();
    this.world.accounts = this.#backup.accounts;
    this.#backup = undefined;
    for (const name of NAMES) await this.checkKeys(name);
    await this.readAll(new Random(2));
  }

  async restart(): Promise<void> {
    await this.world.deployment.restart();
  }

  async setClock(random: Random): Promise<void> {
    const offsetMs = random.pick(CLOCKS_MS);
    this.world.note(`the clock is ${offsetMs / HOUR_MS} h ahead`);
    await this.world.deployment.setClock(offsetMs);
  }
}
