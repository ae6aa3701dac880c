import { ERRORS, type ErrorCode } from '../../../values/interface/errors.ts';

export interface ProblemKind {
  code: string;
  status: number;
  title: string;
  cause: string;
  solution: string;
}

const KINDS: ReadonlyMap<string, ProblemKind> = new Map(
  Object.entries(ERRORS).map(([code, text]) => [code, { code, ...text }]),
);

export const kindOf = (code: ErrorCode): ProblemKind => KINDS.get(code) as ProblemKind;
