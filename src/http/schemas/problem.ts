import { type Static, Type } from './type.ts';

const ParameterFault = Type.Object({
  parameter: Type.String({ description: 'The query parameter.' }),
  code: Type.String({ description: 'What is wrong with it.', examples: ['invalid_currency'] }),
  detail: Type.String({ description: 'The same as a sentence, and what would be right.' }),
});

const FieldFault = Type.Object({
  pointer: Type.String({ description: 'The field of the body, as a JSON pointer.', examples: ['/amount'] }),
  detail: Type.String({ description: 'What is wrong with it, and what would be right.' }),
});

const Difference = Type.Object({
  field: Type.String({ description: 'The field that differs.' }),
  recorded: Type.Nullable({ description: 'Its recorded value.' }),
  given: Type.Nullable({ description: 'Its value in this request.' }),
});

/** Source: RFC 9457. */
export const ProblemDocument = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'A page of the service that explains the error.',
    }),
    title: Type.String({ description: 'The kind of error, the same for each of its code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request, and what would be right.' }),
    code: Type.String({ description: 'The kind of error, for programs.' }),
    requestId: Type.String({
      description: 'Names the request to the operator, as the Request-Id header does.',
    }),
    errors: Type.Optional(
      Type.Array(Type.AnyOf(ParameterFault, FieldFault), {
        description: 'Every faulty parameter of the query, or field of the body.',
      }),
    ),
    differences: Type.Optional(
      Type.Array(Difference, { description: 'With transaction_conflict: each field that differs.' }),
    ),
    resume: Type.Optional(
      Type.String({
        format: 'uri-reference',
        description:
          'With cursor_expired: the request that takes the list up at the UTC day of the last transaction seen. ' +
          'It lacks from where that lies more than 90 days before: stop there, as detail says.',
      }),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'An error, as RFC 9457 describes it.' },
);
export type ProblemDocument = Static<typeof ProblemDocument>;
