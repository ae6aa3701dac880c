import type { ListenerOperation } from '../../http/operations/operation.ts';

interface LookUp {
  id: string;
  summary: string;
  note?: string;
}

/** Declares a public read operation again, for the operator's listener. `path` is the public path. */
export const lookUp = (path: string, { id, summary, note }: LookUp): ListenerOperation<'operator'> => ({
  id,
  path: path.replace('/v1/', '/v1/accounts/:account/'),
  access: 'read',
  tag: 'looking up',
  summary,
  description: `As the account reads it, with the same parameters and responses.${note === undefined ? '' : ` ${note}`}`,
});
