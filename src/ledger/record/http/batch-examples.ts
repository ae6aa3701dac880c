import type { Example } from '../../../http/schemas/responses.ts';

/** Each is one line of the response. */
export const BATCH_EXAMPLES: Record<string, Example> = {
  recorded: { summary: 'A line that was recorded', value: { line: 1, outcome: 'recorded' } },
  invalid: {
    summary: 'A line with a fault',
    value: {
      line: 2,
      outcome: 'invalid',
      errors: [
        {
          pointer: '/amount',
          code: 'invalid_value',
          detail: '"12.505" has more than two decimals, so it cannot be stored exactly',
        },
      ],
    },
  },
  conflict: {
    summary: 'A line that contradicts the recorded transaction',
    value: {
      line: 3,
      outcome: 'conflict',
      differences: [{ field: 'amount', recorded: '12.50', given: '13.00' }],
    },
  },
};
