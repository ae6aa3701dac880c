import type { preValidationHookHandler } from 'fastify';
import { FaultList } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import type { ParameterFault } from '../../../values/parameter-fault.ts';
import { type ParameterRule, readParameters } from '../../../values/query-parameters.ts';
import { quote } from '../../../values/quote.ts';
import type { QueryParameters } from '../parse-query.ts';
import { refuseFaulty } from '../problems/problem.ts';
import type { Schema, Static } from '../schemas/type.ts';
import { mistakenPath } from './path-parameter.ts';

/** A parameter of a query: its description, and which values it can have. */
export interface QueryParameter<Code extends string = ErrorCode, Value = unknown>
  extends ParameterRule<Code> {
  schema: Schema<Value>;
  /** For the OpenAPI document: its handler refuses a request without it. */
  isRequired?: true;
}

/** The parameters of an operation. */
export type DeclaredQuery = Readonly<Record<string, QueryParameter>>;

/** The values of declared parameters, as their schemas describe them. Each can be absent. */
export type ValuesOf<Declared> = {
  [Name in keyof Declared]?: Declared[Name] extends { schema: infer Described } ? Static<Described> : never;
};

/**
 * The valid values of a query. An operation whose parameters depend on each other calls readParameters itself.
 *
 * Throws: a Problem with all faults.
 */
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

/** Refuses every query of an operation that declares no parameters. */
export const refuseParameters: preValidationHookHandler = (request, _reply, done) => {
  const query = request.query as QueryParameters;
  const faults = new FaultList<ParameterFault<'unknown_parameter'>>();
  for (const parameter in query) {
    const detail =
      mistakenPath(request.routeOptions.config.pathParameters ?? {}, request.params) ??
      `${quote(parameter)} is not a parameter. This operation has no query parameters.`;
    faults.add({ parameter, code: 'unknown_parameter', detail });
  }
  refuseFaulty(query, faults);
  done();
};
