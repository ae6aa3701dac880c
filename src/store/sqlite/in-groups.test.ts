import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inGroups } from './in-groups.ts';

test('each question of a turn has its own answer, whatever becomes of the others', async () => {
  const ask = inGroups((question: number) => {
    if (question % 3 === 0) throw new Error(`no answer to ${question}`);
    return question * 2;
  });
  const answers = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => ask(index)));
  for (const [index, settled] of answers.entries()) {
    if (settled.status === 'fulfilled') assert.equal(settled.value, index * 2);
    else assert.equal((settled.reason as Error).message, `no answer to ${index}`);
    assert.equal(settled.status, index % 3 === 0 ? 'rejected' : 'fulfilled');
  }
});

test('a question is answered after it was asked, in the order of all, and once', async () => {
  const answered: number[] = [];
  const ask = inGroups((question: number) => answered.push(question));
  const asked = [0, 1, 2].map(ask);
  assert.deepEqual(answered, []);
  await Promise.all(asked);
  assert.deepEqual(answered, [0, 1, 2]);
  await ask(3);
  assert.deepEqual(answered, [0, 1, 2, 3]);
});

test('a full group waits for no other', () => {
  let answered = 0;
  const ask = inGroups(() => ++answered);
  for (let count = 0; count < 40; count++) void ask(count);
  assert.equal(answered, 32);
});
