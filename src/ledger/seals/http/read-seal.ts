import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { type Static, Type } from '../../../http/schemas/type.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { lookUp } from '../../http/look-up.ts';
import { formatSeal, SEAL_FORM } from '../seal.ts';
import type { SealReader } from '../seals.ts';

const SEAL_PATH = '/v1/seal';

const SealSchema = Type.Object(
  {
    sequence: Type.Integer({
      minimum: 0,
      description:
        'The number of the last sealed change; 0 if none is. Changes are sealed in order, some seconds after they were recorded.',
      examples: [13],
    }),
    id: Type.Nullable({
      description: 'The id of that change; null if sequence is 0.',
      examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
    }),
    seal: Type.String({
      pattern: SEAL_FORM,
      description:
        'The seal at that change, in hexadecimal digits: SHA-256 of the 32 bytes of the seal before it and the text of the change, as the ' +
        'specification defines it; 64 zeros if sequence is 0. Equal seals of two readers prove that every change up to it is the same.',
      examples: ['9f2c8e4b7d6a5f3e1c0b9a8d7e6f5c4b3a2d1e0f9c8b7a6d5e4f3c2b1a0d9e8f'],
    }),
  },
  {
    $id: 'Seal',
    title: 'Seal',
    description: 'A hash of 32 bytes over all changes of an account up to one of them.',
  },
);

type SealBody = Static<typeof SealSchema>;

export const readSealOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'readSeal',
    path: SEAL_PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Seal',
    description:
      'A hash over every change of the account, which anybody can compute from the change feed. Stored elsewhere, it proves later that no recorded value was changed.',
  },
  operator: lookUp(SEAL_PATH, { id: 'readAccountSeal', summary: 'Seal' }),
  pathParameters: { account: ACCOUNT },
  responses: {
    200: jsonResponse('The seal of the last sealed change.', Type.Ref(SealSchema), EXAMPLES.seal),
  },
  handler:
    ({ store }: Context<SealReader>) =>
    async (request): Promise<SealBody> => {
      const account = accountOf(request);
      const seal = formatSeal(account, await store.readSeal(account));
      request.logFields = { sequence: seal.sequence };
      return seal;
    },
});
