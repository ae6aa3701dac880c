import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { FaultList } from '../values/fault-list.ts';
import type { ParameterFault } from '../values/parameter-fault.ts';
import { quote } from '../values/quote.ts';
import type { QueryParameters } from './parse-query.ts';
import { refuseFaulty } from './problems/problem.ts';

/**
 * Refuses the query of each operation whose schema declares no parameters, before its handler runs. An operation with parameters checks
 * them itself, together with their values.
 *
 * Pages and files are no operations, and take any query.
 */
export function refuseUndeclaredParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide === true || route.schema?.querystring !== undefined) return;
    route.preValidation = [...[route.preValidation ?? []].flat(), refuseParameters];
  });
}

const refuseParameters: preValidationHookHandler = (request, _reply, done) => {
  const query = request.query as QueryParameters;
  const faults = new FaultList<ParameterFault<'unknown_parameter'>>();
  for (const parameter in query) {
    const detail = `${quote(parameter)} is not a parameter. This operation has no query parameters.`;
    faults.add({ parameter, code: 'unknown_parameter', detail });
  }
  refuseFaulty(query, faults);
  done();
};
