import type { ListenerOperation } from '../../http/operations/operation.ts';

interface LookUp {
  id: string;
  summary: string;
  note?: string;
}

/**
 * Declares a public read operation on the operator's listener too. `path` is the public path; the operator's
 * path also names the account.
 */
export const lookUp = (path: string, { id, summary, note }: LookUp): ListenerOperation<'operator'> => ({
  id,
  path: path.replace('/v1/', '/v1/accounts/:account/'),
  access: 'read',
  tag: 'looking up',
  summary,
  description: `As the account reads it, with the same parameters and responses.${note === undefined ? '' : ` ${note}`}`,
});
