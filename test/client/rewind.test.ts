import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Change,
  ChangesArchivedError,
  type Fetch,
  HistoryChangedError,
  type RewindableCopy,
  SequenceAheadError,
} from '../../client/src/index.ts';
import { pageOfFeed, scriptedChange } from '../rig/data/scripted-feed.ts';
import { answer, clientOn } from '../rig/http/client.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';

type Ids = string[];

const problem = (status: number, code: string, others: object) =>
  answer(status, { status, code, title: code, detail: code, ...others });

function serviceWith(history: { ids: Ids }): Fetch {
  return async (url) => {
    const query = new URL(url).searchParams;
    const after = Number(query.get('after'));
    const afterId = query.get('afterId');
    const { ids } = history;
    if (afterId !== null && ids[after - 1] !== afterId)
      return problem(409, 'history_changed', { headSequence: ids.length });
    if (after > ids.length) return problem(400, 'sequence_ahead', { headSequence: ids.length });
    const changes = ids.map((id, at) => ({ ...scriptedChange(at + 1), id }));
    return answer(200, pageOfFeed(changes, url));
  };
}

function copyOf(ids: Ids, known = Number.POSITIVE_INFINITY) {
  const rewound: number[] = [];
  const copy: RewindableCopy = {
    idAt: (sequence) => (sequence <= ids.length - known ? null : (ids[sequence - 1] ?? null)),
    rewindTo: (sequence) => {
      rewound.push(sequence);
      ids.length = sequence;
    },
  };
  return { copy, rewound };
}

async function catchUp(feed: AsyncIterable<Change>, ids: Ids, last: string | undefined): Promise<void> {
  for await (const { sequence, id } of feed) {
    assert.equal(sequence, ids.length + 1);
    ids.push(id);
    if (id === last) return;
  }
}

const named = (history: string, count: number, from = 1): Ids =>
  Array.from({ length: count }, (_, at) => `chg_${history}_${from + at}`);

test('after any restore, a copy goes back to the last change that both have, and equals the service', async () => {
  const random = new Random(seed);
  for (let run = 0; run < inTier({ short: 60, long: 5000 }); run++) {
    const before = named('a', random.integer(1, 60));
    const history = { ids: before };
    const ids: Ids = [];
    const { copy, rewound } = copyOf(ids);
    const { client } = clientOn(serviceWith(history), 'a-key');
    const feed = client.changes.follow({ limit: random.integer(1, 20) }, { copy });
    const read = random.integer(1, before.length);
    await catchUp(feed, ids, before[read - 1]);
    const kept = random.integer(0, before.length);
    history.ids = [...before.slice(0, kept), ...named('b', random.integer(1, 60), kept + 1)];
    const isOther = random.integer(0, 1) === 1;
    const continued = isOther ? client.changes.follow({ after: read }, { copy }) : feed;
    await catchUp(continued, ids, history.ids.at(-1));
    assert.deepEqual(ids, history.ids, `run ${run}`);
    if (kept < read || rewound.length > 0) assert.deepEqual(rewound, [kept], `run ${run}`);
    if (kept === before.length) assert.deepEqual(rewound, []);
  }
});

test('a feed that catches up ends with the last change, has no empty page there, and does not wait', async () => {
  const { client, requests } = clientOn(serviceWith({ ids: named('a', 4) }), 'a-key');
  const feed = client.changes.catchUp({ after: 1, limit: 1 });
  const pages = await Array.fromAsync(feed.pages());
  assert.deepEqual(
    pages.map(({ data }) => data.map(({ id }) => id)),
    [['chg_a_2'], ['chg_a_3'], ['chg_a_4']],
  );
  assert.ok(requests.every((request) => !request.includes('wait=')));
  assert.deepEqual(await feed.page(), { data: [], headSequence: 4 });
  assert.deepEqual(JSON.parse(JSON.stringify(feed)), { after: 4, afterId: 'chg_a_4' });
  // @ts-expect-error: catchUp never waits
  assert.throws(() => client.changes.catchUp({ wait: 5 }), /parameter "wait" is unknown/);
});

test('a copy that keeps only the ids of its newest changes goes back to one of these, and not further', async () => {
  const history = { ids: named('a', 100) };
  const follow = (known: number) => {
    const ids = named('a', 100);
    const { copy, rewound } = copyOf(ids, known);
    const { client } = clientOn(serviceWith(history), 'a-key');
    return { ids, rewound, feed: client.changes.follow({ after: 100 }, { copy }) };
  };
  history.ids = [...named('a', 95), ...named('b', 10, 96)];
  const near = follow(10);
  await catchUp(near.feed, near.ids, history.ids.at(-1));
  assert.deepEqual([near.ids, near.rewound], [history.ids, [95]]);
  const far = follow(3);
  await assert.rejects(catchUp(far.feed, far.ids, history.ids.at(-1)), HistoryChangedError);
  assert.deepEqual([far.ids, far.rewound], [named('a', 100), []]);
});

test('without a copy, a feed throws HistoryChangedError, or SequenceAheadError if it has no id', async () => {
  const history = { ids: named('a', 3) };
  const { client } = clientOn(serviceWith(history), 'a-key');
  const feed = client.changes.follow();
  const ids: Ids = [];
  await catchUp(feed, ids, 'chg_a_3');
  history.ids = named('b', 9);
  await assert.rejects(catchUp(feed, ids, 'chg_b_9'), HistoryChangedError);
  const saved = JSON.parse(JSON.stringify(feed));
  assert.deepEqual(saved, { after: 3, afterId: 'chg_a_3' });
  await assert.rejects(feed.page(), HistoryChangedError);
  await assert.rejects(client.changes.follow(saved).page(), HistoryChangedError);
  await assert.rejects(client.changes.follow({ after: 10 }).page(), SequenceAheadError);
});

function archivedService(history: { ids: Ids }, floorSequence: number): Fetch {
  const service = serviceWith(history);
  return async (url, init) => {
    const after = Number(new URL(url).searchParams.get('after'));
    if (after >= floorSequence) return service(url, init);
    return problem(410, 'changes_archived', { floorSequence });
  };
}

test('a copy that ends below the floor begins again; one above it rewinds to a change that is not archived', async () => {
  const before = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
  const restored = { ids: ['a1', 'a2', 'a3', 'a4', 'b5', 'b6', 'b7'] };
  const follow = (ids: Ids, floor: number) => {
    const { copy, rewound } = copyOf(ids);
    const { client } = clientOn(archivedService(restored, floor), 'a-key');
    const from = { after: ids.length, ...(ids.length > 0 && { afterId: ids.at(-1) as string }) };
    return { feed: client.changes.follow(from, { copy }), rewound };
  };
  for (const floor of [1, 3, 4]) {
    const ids = [...before];
    const { feed, rewound } = follow(ids, floor);
    await catchUp(feed, ids, 'b7');
    assert.deepEqual([ids, rewound], [restored.ids, [4]], `floor ${floor}`);
  }
  for (const [known, floor] of [
    [before, 5],
    [before, 6],
    [before.slice(0, 2), 3],
    [[], 1],
  ] as [Ids, number][]) {
    const ids = [...known];
    const { feed, rewound } = follow(ids, floor);
    await assert.rejects(
      catchUp(feed, ids, 'b7'),
      (error) => error instanceof ChangesArchivedError && error.floorSequence === floor,
    );
    assert.deepEqual([ids, rewound], [known, []], `floor ${floor}`);
  }
});
