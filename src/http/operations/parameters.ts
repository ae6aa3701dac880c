import { FaultList, type ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { DEFAULT_ITEMS, MAX_ITEMS } from '../../../values/interface/limits.ts';
import { Problem } from '../../../values/problem.ts';
import { type ParameterRule, readParameters } from '../../../values/query-parameters.ts';
import { quote } from '../../../values/quote.ts';
import { isWholeNumber, WHOLE_NUMBER } from '../../../values/whole-number.ts';
import { refuseFaulty } from '../problems/problem.ts';
import { type Schema, type Static, Type } from '../schemas/type.ts';
import type { QueryParameters } from '../server/begin-request.ts';

export interface PathParameter {
  schema: Schema<string>;
  isValid: (value: string) => boolean;
  /** Explains an invalid value in a response with 422. If this function is absent, the response is 404. */
  explain?: (value: string) => string;
  absent: string;
  mistaken?: (value: string) => string | undefined;
  /** If the value is valid, the request's log line has it in a field with this name. */
  logName?: string;
}

export type PathParameters = Readonly<Record<string, PathParameter>>;

export function parametersOf(path: string, declared: PathParameters = {}): PathParameters {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => {
      const parameter = declared[name];
      if (parameter === undefined)
        throw new Error(`${path} names ${name}, which is not among its pathParameters`);
      return [name, parameter];
    }),
  );
}

export const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

export const canReturnNotFound = (method: string, parameters: PathParameters): boolean =>
  Object.values(parameters).some(({ explain }) => METHODS_WITHOUT_BODY.has(method) || explain === undefined);

export function notFound({ absent, mistaken }: PathParameter, value?: string): Problem {
  const hint =
    value === ''
      ? 'The path ends in a slash, or has two slashes in a row: remove one.'
      : value && mistaken?.(value);
  return new Problem('not_found', hint ?? absent);
}

export interface QueryParameter<Value = unknown> extends ParameterRule<ErrorCode> {
  schema: Schema<Value>;
  furtherCodes?: readonly ErrorCode[];
  isDocumentedAsRequired?: true;
}

export type DeclaredQuery = Readonly<Record<string, QueryParameter>>;

export type ValuesOf<Declared> = {
  [Name in keyof Declared]?: Declared[Name] extends { schema: infer Described } ? Static<Described> : never;
};

/** Parameters that depend on each other must be read with readParameters. */
export function readQuery<Name extends string>(
  query: QueryParameters,
  declared: Readonly<Record<Name, QueryParameter>>,
  explainName: (name: string) => string | undefined = () => undefined,
): Partial<Record<Name, string>> {
  const faults = new FaultList<ParameterFault<ErrorCode>>();
  const values = readParameters(query, declared, explainName, faults);
  refuseFaulty(query, faults);
  return values;
}

export const limitParameter = (items: string, nextAfter: string): QueryParameter<number> => ({
  schema: Type.Integer({
    minimum: 1,
    maximum: MAX_ITEMS,
    default: DEFAULT_ITEMS,
    description: `The largest number of ${items} on a page.`,
  }),
  isValid: isWholeNumber(1, MAX_ITEMS),
  code: 'invalid_limit',
  explain: (value) => explainLimit(value, items, nextAfter),
});

function explainLimit(value: string, items: string, nextAfter: string): string {
  if (!WHOLE_NUMBER.test(value))
    return `${quote(value)} is not a number of ${items}. Send a whole number from 1 to ${MAX_ITEMS}.`;
  if (value === '0') return `limit must be at least 1. Send a whole number from 1 to ${MAX_ITEMS}.`;
  return `limit can be at most ${MAX_ITEMS}. Send limit=${MAX_ITEMS}, and ${nextAfter} as after for more.`;
}
