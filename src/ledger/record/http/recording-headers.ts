import { type Schema, Type } from '../../../http/schemas/type.ts';
import { changeId } from '../../changes/change.ts';
import type { MadeChange } from '../transaction-recorder.ts';

/** What a recording did, and the change that recorded the transaction as the response has it. */
export const RECORDING_HEADERS = {
  'Recording-Outcome': Type.OpenEnum(
    ['recorded', 'changed', 'unchanged'],
    'recorded: the transaction is new. changed: it took another status. unchanged: it was recorded like this already.',
  ),
  'Change-Sequence': Type.String({
    description: 'The number of the change that recorded the transaction like this.',
    examples: ['7'],
  }),
  'Change-Id': Type.String({
    description: 'The id of this change.',
    examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
  }),
} as const satisfies Record<string, Schema>;

type RecordingHeaders = Record<keyof typeof RECORDING_HEADERS, string>;

/** `change` is the one that this request made, or the one that it repeats. */
export function recordingHeaders(
  account: string,
  outcome: 'recorded' | 'changed' | 'unchanged',
  change: MadeChange,
): RecordingHeaders {
  return {
    'Recording-Outcome': outcome,
    'Change-Sequence': String(change.sequence),
    'Change-Id': changeId(account, change),
  };
}
