import assert from 'node:assert/strict';
import type { ExampleOf, ProblemExample } from '../../src/http/problems/problem-example.ts';
import type { ProblemKind } from '../../src/http/problems/problem-kind.ts';
import { allProblems } from '../../src/http/reference/describe-operation.ts';
import { OPERATIONS } from '../../src/service/operations.ts';

/** Every kind of error of the service. */
export const KINDS: readonly ProblemKind[] = allProblems(OPERATIONS);

const BY_CODE = new Map(KINDS.map((kind) => [kind.code, kind]));

/** The kind of error of a code, or undefined. */
export const kindOf = (code: string): ProblemKind | undefined => BY_CODE.get(code);

/** The example of an error, or another one of it. */
export function exampleOf(code: string, make?: ExampleOf): ProblemExample {
  const kind = kindOf(code);
  assert.ok(kind !== undefined, `${code} is no error of the service`);
  return (make ?? kind.example)(kind);
}
