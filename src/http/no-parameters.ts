import { FaultList } from '../values/fault-list.ts';
import type { ParameterFault } from '../values/parameter-fault.ts';
import { quote } from '../values/quote.ts';
import type { QueryParameters } from './parse-query.ts';
import { refuseFaulty } from './problems/problem.ts';

/**
 * Refuses the query of an operation that has no parameters.
 *
 * Throws: `unknown_parameter` with each parameter of the query.
 */
export function refuseParameters(query: QueryParameters): void {
  const faults = new FaultList<ParameterFault<'unknown_parameter'>>();
  for (const parameter in query) {
    const detail = `${quote(parameter)} is not a parameter. This operation has no query parameters.`;
    faults.add({ parameter, code: 'unknown_parameter', detail });
  }
  refuseFaulty(query, faults);
}
