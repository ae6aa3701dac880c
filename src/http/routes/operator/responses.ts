import { Type } from 'typebox';
import { problemResponse, retryAfterHeader, successHeaders } from '../../schemas/problem.ts';

/** What every operation of the operator may answer besides its success. */
export const operatorProblems = {
  400: problemResponse(400),
  401: problemResponse(401, { 'WWW-Authenticate': Type.String({ description: 'Source: RFC 6750.' }) }),
  413: problemResponse(413),
  414: problemResponse(414),
  415: problemResponse(415),
  422: problemResponse(422),
  431: problemResponse(431),
  500: problemResponse(500),
  503: problemResponse(503, retryAfterHeader),
};

export const jsonResponse = (description: string, schema: string) => ({
  description,
  headers: successHeaders,
  content: { 'application/json': { schema: Type.Ref(schema) } },
});
