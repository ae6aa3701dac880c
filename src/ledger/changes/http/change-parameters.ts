import { FaultList, type ParameterFault } from '../../../../values/fault-list.ts';
import type { ErrorCode } from '../../../../values/interface/errors.ts';
import { DEFAULT_ITEMS, MAX_WAIT_SECONDS } from '../../../../values/interface/limits.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import { quote } from '../../../../values/quote.ts';
import { isSequenceText, isWholeNumber, WHOLE_NUMBER } from '../../../../values/whole-number.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { limitParameter } from '../../../http/operations/parameters.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { QueryParameters } from '../../../http/server/begin-request.ts';
import { CHANGE_ID_FORM } from '../change.ts';

interface ChangeRequest {
  after: number;
  afterId: string | undefined;
  limit: number;
  waitMs: number;
}

const CHANGE_ID = new RegExp(CHANGE_ID_FORM);

const POSITION_NAMES =
  /^(cursor|page|offset|skip|from|since\w*|start\w*|last\w*|next\w*|sequence|after[_-]?\w+)$/i;
const FILTER_NAMES = /^(status|currency|to|before|merchant[_-]?reference|reference|account|types?|filter)$/i;

export const CHANGE_PARAMETERS = {
  after: {
    schema: Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'Changes with larger sequence numbers are returned: lastSequence of the page before, or 0.',
    }),
    isValid: isSequenceText,
    code: 'invalid_sequence',
    explain: explainSequence,
  },
  afterId: {
    schema: Type.String({
      pattern: CHANGE_ID_FORM,
      description:
        'lastId of the page before: the id of the change at `after`. Not with `after` 0. If the change has another id, or does not exist, the database was ' +
        'restored: the response is 409 `history_changed`. Without afterId, a restore is noticed only if `after` is beyond the last change.',
    }),
    isValid: (value) => CHANGE_ID.test(value),
    code: 'invalid_change_id',
    explain: explainChangeId,
  },
  limit: limitParameter('changes', 'lastSequence'),
  wait: {
    schema: Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: 0,
      description:
        'Seconds to wait for a change if there is none after `after`. The response comes with the first change, at the end ' +
        'of the time, or at once when the service stops.',
    }),
    isValid: isWholeNumber(0, MAX_WAIT_SECONDS),
    code: 'invalid_wait',
    explain: explainWait,
  },
} as const satisfies Record<string, QueryParameter>;

export function readChangeRequest(query: QueryParameters): ChangeRequest {
  const faults = new FaultList<ParameterFault<ErrorCode>>();
  const { after, afterId, limit, wait } = readParameters(query, CHANGE_PARAMETERS, explainName, faults);
  if (afterId !== undefined && (query['after'] ?? '0') === '0')
    faults.add({
      parameter: 'afterId',
      code: 'invalid_change_id',
      detail:
        'There is no change 0, so it has no id. Leave afterId out, or send the number of its change as after.',
    });
  refuseFaulty(query, faults);
  return {
    after: Number(after ?? 0),
    afterId,
    limit: Number(limit ?? DEFAULT_ITEMS),
    waitMs: Number(wait ?? 0) * 1000,
  };
}

function explainSequence(value: string): string {
  const right = 'Send the lastSequence of the page before, or 0 for the first change.';
  if (WHOLE_NUMBER.test(value)) return `${quote(value)} is larger than any sequence number. ${right}`;
  if (/^\d+$/.test(value))
    return `${quote(value)} begins with 0. Write the number without leading zeros. ${right}`;
  if (/^(\d{4}-\d|latest|now|newest|end)/i.test(value))
    return `${quote(value)} is not a sequence number: the feed has positions, not times. ${right} To begin at a time, skip changes with an earlier recordedAt.`;
  if (CHANGE_ID.test(value))
    return `${quote(value)} is the id of a change. Send its sequence number as after, and the id as afterId.`;
  return `${quote(value)} is not a sequence number. ${right}`;
}

function explainChangeId(value: string): string {
  const right =
    'Send the lastId of the page before, or the id of the change at after. Leave afterId out if after is 0.';
  return `${quote(value)} is not the id of a change. ${right}`;
}

function explainWait(value: string): string {
  if (!WHOLE_NUMBER.test(value))
    return `${quote(value)} is not a number of seconds. Send a whole number from 0 to ${MAX_WAIT_SECONDS}.`;
  return `wait can be at most ${MAX_WAIT_SECONDS} seconds. Send wait=${MAX_WAIT_SECONDS}, and the same request again if there was no change.`;
}

function explainName(name: string): string | undefined {
  if (POSITION_NAMES.test(name))
    return `A position in the change feed is a sequence number: omit ${name}, and send as after the lastSequence of the page before, or 0 for the first change.`;
  if (FILTER_NAMES.test(name))
    return `The change feed has no filters: omit ${name}, and choose from all changes of the account.`;
  if (/^(timeout|long_?poll|poll|block)\w*$/i.test(name))
    return `A request waits for changes with wait, in seconds: omit ${name}, and send for example wait=30.`;
  return undefined;
}
