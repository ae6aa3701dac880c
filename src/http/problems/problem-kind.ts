/** A kind of error: what its code means. The responses, the error pages and the OpenAPI documents use these texts. */
export interface ProblemKind<Code extends string = string> {
  code: Code;
  status: number;
  title: string;
  cause: string;
  solution: string;
}

/** Declares kinds of errors by their codes. */
export const defineProblems = <Kinds extends Readonly<Record<string, Omit<ProblemKind, 'code'>>>>(
  kinds: Kinds,
): { readonly [Code in keyof Kinds & string]: ProblemKind<Code> } =>
  Object.fromEntries(Object.entries(kinds).map(([code, kind]) => [code, { code, ...kind }])) as never;
