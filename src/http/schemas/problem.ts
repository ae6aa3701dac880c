import { FIELD_FAULT_CODES } from '../../../values/fault-list.ts';
import { type Static, Type } from './type.ts';

const ParameterFaultSchema = Type.Object({
  parameter: Type.String({ description: 'The query parameter.' }),
  code: Type.String({ description: 'The kind of fault.', examples: ['invalid_currency'] }),
  detail: Type.String({ description: 'What is wrong with the parameter, and what to send instead.' }),
});

const FieldFaultSchema = Type.Object({
  pointer: Type.String({ description: 'The field of the body, as a JSON pointer.', examples: ['/amount'] }),
  code: Type.String({
    description: `The kind of fault: ${FIELD_FAULT_CODES.join(', ')}. A later version can have more.`,
    examples: ['invalid_value'],
  }),
  detail: Type.String({
    description: 'What is wrong with the field, and what to send instead: a clause that follows the field.',
  }),
});

const DifferenceSchema = Type.Object({
  field: Type.String({ description: 'The field that differs.' }),
  recorded: Type.Nullable({ description: 'Its recorded value.' }),
  given: Type.Nullable({ description: 'Its value in this request.' }),
});

export const PROBLEM_TYPE = 'application/problem+json';

/** Source: RFC 9457. */
export const ProblemDocumentSchema = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'The URL of a page of this service that explains the error.',
    }),
    title: Type.String({
      description: 'The kind of error as a sentence, the same for every error with this code.',
    }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request, and what to send instead.' }),
    code: Type.String({
      description:
        'The kind of error, for programs. Each response of an operation lists the codes that it can have. A later version can have more.',
    }),
    requestId: Type.String({
      description:
        'Identifies the request, as the Request-Id header does. Give it to the operator when you report an error.',
    }),
    errors: Type.Optional(
      Type.Array(Type.AnyOf(ParameterFaultSchema, FieldFaultSchema), {
        description: 'Each faulty parameter of the query, or field of the body.',
      }),
    ),
    differences: Type.Optional(
      Type.Array(DifferenceSchema, {
        description:
          'With transaction_conflict: each field that differs from the recorded transaction. With idempotency_key_reused: each field that ' +
          'differs from the first request with the key.',
      }),
    ),
    headSequence: Type.Optional(
      Type.Integer({ description: 'With sequence_ahead: the number of the last change of the account.' }),
    ),
    floorSequence: Type.Optional(
      Type.Integer({
        description:
          'With changes_archived: the sequence number up to which changes of the account are archived.',
      }),
    ),
    resume: Type.Optional(
      Type.String({
        format: 'uri-reference',
        description:
          'With cursor_expired: the request that continues the collection, with a fresh cursor at the same place with the same filters. ' +
          'It needs a key of the same account, as every request.',
      }),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'An error, as RFC 9457 describes it.' },
);
export type ProblemDocument = Static<typeof ProblemDocumentSchema>;
