import type { ProblemCode } from '../../problems/problems.ts';
import { OTHER_EXAMPLES } from '../../reference/examples/other-problems.ts';
import { KEY_PROBLEMS, problemResponses } from '../../schemas/responses.ts';

/** What an operation of the operator may answer besides its success: what all of them may, and codes of its own. */
export function operatorProblems(...codes: ProblemCode[]) {
  return problemResponses([...KEY_PROBLEMS, ...codes], {
    examples: {
      invalid_request: OTHER_EXAMPLES.noHost,
      rate_limited: OTHER_EXAMPLES.addressLimited,
      not_found: OTHER_EXAMPLES.noSuchKey,
    },
  });
}

/** What an operation with a JSON body may answer. */
export const BODY_PROBLEMS = ['invalid_body', 'unsupported_media_type', 'invalid_fields'] as const;
