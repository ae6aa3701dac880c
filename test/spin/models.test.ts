import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { missing } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier, TIER } from '../rig/run/tier.ts';

const FOLDER = join(import.meta.dirname, '../../proof/models');
const SOME_MODELS = 1;
const SOME_MUTANTS = 1;

interface Model {
  name: string;
  short: string[];
  long: string[];
  mutants: readonly string[];
}

const MODELS: readonly Model[] = [
  {
    name: 'numbering',
    short: ['RECORDERS=2', 'TRIES=2'],
    long: ['RECORDERS=3', 'TRIES=1'],
    mutants: [
      'HEAD_BEFORE_LOCK',
      'HEADS_ARE_NOT_COUNTED',
      'NUMBER_OF_A_SEQUENCE',
      'UNLOCKED_BEFORE_VISIBLE',
      'ACKNOWLEDGED_BEFORE_COMMIT',
      'LOCKS_IN_ANY_ORDER',
    ],
  },
  {
    name: 'moving',
    short: ['RECORDERS=2', 'RECORDINGS=4'],
    long: ['RECORDERS=3', 'RECORDINGS=4'],
    mutants: [
      'MARK_IS_READ_BEFORE_THE_LOCK',
      'HEADS_ARE_COMPARED_BEFORE_THE_MARK',
      'REST_IS_NOT_COPIED',
      'GIVES_UP_AFTER_OPENING',
    ],
  },
];

const skip = missing('spin') || missing('gcc');

async function explore(name: string, defined: readonly string[]) {
  const folder = temporaryFolder();
  const run = async (program: string, args: readonly string[]) =>
    (await promisify(execFile)(program, args, { cwd: folder.path })).stdout;
  try {
    await run('spin', [...defined.map((one) => `-D${one}`), '-a', join(FOLDER, `${name}.pml`)]);
    await run('gcc', ['-O1', '-w', '-DSAFETY', '-DNOCLAIM', '-DMEMLIM=3000', '-o', 'pan', 'pan.c']);
    const output = await run('./pan', ['-m100000', '-w22']);
    const numberOf = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
    const isWhole = !/max search depth too small|out of memory|Search not completed/.test(output);
    assert.ok(isWhole || /errors: 1/.test(output), output);
    return {
      errors: numberOf(/errors: (\d+)/),
      states: numberOf(/(\d+) states, stored/),
      seconds: numberOf(/elapsed time ([\d.]+) seconds/),
      output,
    };
  } finally {
    folder.remove();
  }
}

for (const { name, ...model } of someInTier(MODELS, SOME_MODELS)) {
  const defined = model[TIER];
  test(`${name}: no state breaks a promise, with ${defined.join(', ')}`, { skip }, async (t) => {
    const { errors, states, seconds, output } = await explore(name, defined);
    t.diagnostic(`${states} states in ${seconds} s`);
    assert.equal(errors, 0, output);
    assert.ok(states > 10_000, `only ${states} states were explored`);
  });
}

const mutants = MODELS.flatMap(({ name, short, mutants: own }) =>
  own.map((mutant) => ({ name, mutant, defined: [mutant, ...short] })),
);

for (const { name, mutant, defined } of someInTier(mutants, SOME_MUTANTS)) {
  test(`${name}: the mutant ${mutant} breaks a promise`, { skip }, async () => {
    const { errors, output } = await explore(name, defined);
    assert.equal(errors, 1, output);
  });
}
