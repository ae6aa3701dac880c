import type { ProblemCode } from '../../../http/problems/problems.ts';
import { OTHER_EXAMPLES } from '../../../http/reference/examples/other-problems.ts';
import {
  KEY_PROBLEMS,
  type ProblemResponsesOptions,
  problemResponses,
} from '../../../http/schemas/responses.ts';

/** The error responses of an operation on the operator's listener: those that all of them have, and `codes`. */
export function operatorProblems(...codes: ProblemCode[]) {
  return problemResponses([...KEY_PROBLEMS, ...codes], {
    examples: {
      rate_limited: OTHER_EXAMPLES.addressLimited,
      not_found: OTHER_EXAMPLES.noSuchKey,
      insufficient_scope: OTHER_EXAMPLES.otherAccounts,
    },
  });
}

/** The error responses of an operation that only reads: those that all of them have, and `codes`. `examples` replace those of the public service. */
export function lookUpProblems(
  codes: readonly ProblemCode[],
  examples: ProblemResponsesOptions['examples'] = {},
) {
  return problemResponses([...KEY_PROBLEMS, ...codes], {
    examples: {
      rate_limited: OTHER_EXAMPLES.addressLimited,
      insufficient_scope: OTHER_EXAMPLES.otherAccounts,
      ...examples,
    },
  });
}

/** The codes of every operation that has a JSON body. */
export const BODY_PROBLEMS = ['invalid_body', 'unsupported_media_type', 'invalid_fields'] as const;
