import { allProblems } from '../../../src/http/operations/operation-problems.ts';
import type { ProblemKind } from '../../../src/http/problems/problem-kind.ts';
import { OPERATIONS } from '../../../src/service/operations.ts';

export const KINDS: readonly ProblemKind[] = allProblems(OPERATIONS);

const BY_CODE = new Map(KINDS.map((kind) => [kind.code, kind]));

export const kindOf = (code: string): ProblemKind | undefined => BY_CODE.get(code);
