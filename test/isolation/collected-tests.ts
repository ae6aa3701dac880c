import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

/*
 * Stands in for node:test in the test files that run on changed source. It collects the tests of a file, so that one of
 * them can be run within another test.
 */

type Body = (t: TestContext) => unknown;

interface Suite {
  parent: Suite | undefined;
  before: Body[];
  beforeEach: Body[];
  afterEach: Body[];
  after: Body[];
}

const newSuite = (parent?: Suite): Suite => ({
  parent,
  before: [],
  beforeEach: [],
  afterEach: [],
  after: [],
});

const file = newSuite();
let suite = file;
const collected: { name: string; suite: Suite; body: Body }[] = [];

type Arguments = readonly [...options: object[], body: Body];

export function describe(_name: string, ...rest: Arguments): void {
  const outer = suite;
  suite = newSuite(outer);
  (rest.at(-1) as () => void)();
  suite = outer;
}

export function test(name: string, ...rest: Arguments): void {
  collected.push({ name, suite, body: rest.at(-1) as Body });
}

export const before = (body: Body) => suite.before.push(body);
export const beforeEach = (body: Body) => suite.beforeEach.push(body);
export const afterEach = (body: Body) => suite.afterEach.push(body);
/** Also called by helpers that a test loads: they are part of the file. */
export const after = (body: Body) => suite.after.push(body);

/** Runs the test of a name with the hooks around it. Throws what it throws. */
export async function runCollected(name: string, t: TestContext): Promise<void> {
  const [found, ...others] = collected.filter((one) => one.name === name);
  assert.ok(found !== undefined && others.length === 0, `there is not one test: ${name}`);
  const suites: Suite[] = [];
  for (let one: Suite | undefined = found.suite; one !== undefined; one = one.parent) suites.unshift(one);
  const run = async (bodies: readonly Body[]) => {
    for (const body of bodies) await body(t);
  };
  try {
    await run(suites.flatMap(({ before }) => before));
    await run(suites.flatMap(({ beforeEach }) => beforeEach));
    await found.body(t);
  } finally {
    const inwards = suites.toReversed();
    await run(inwards.flatMap(({ afterEach }) => afterEach));
    await run(inwards.flatMap(({ after }) => after));
  }
}
