import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { notFound, type PathParameter } from '../../../http/operations/parameters.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { lookUp } from '../../http/look-up.ts';
import { EXPORT_ID_FORM, type ExportStore, isExportId, manifestOf } from '../export.ts';
import { retrieveExport as retrieve } from '../start-export.ts';
import { type ExportBody, ExportSchema } from './export-schemas.ts';

const EXPORT_ID: PathParameter = {
  schema: Type.String({
    description: 'The value of the header Export-Id.',
    pattern: EXPORT_ID_FORM,
    examples: ['exp_0123456789abcdef'],
  }),
  isValid: isExportId,
  absent: 'The account has no export with this id, or it began more than 24 hours ago.',
};

const PATH = '/v1/exports/:id';

export const retrieveExportOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'retrieveExport',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Retrieve a manifest',
    description:
      'The manifest of an export: the number of rows, the sums, the size and the SHA-256, for comparison with the file. It is stored for 24 hours ' +
      'from the start of the export.',
  },
  operator: lookUp(PATH, {
    id: 'retrieveAccountExport',
    summary: 'Retrieve a manifest',
    note: 'An export belongs to its account, whichever key began it.',
  }),
  pathParameters: { account: ACCOUNT, id: EXPORT_ID },
  responses: { 200: jsonResponse('The manifest.', Type.Ref(ExportSchema), EXAMPLES.manifest) },
  handler:
    ({ store, now }: Context<Pick<ExportStore, 'findExport'>>) =>
    async (request): Promise<ExportBody> => {
      const found = await retrieve(store, accountOf(request), request.params.id, now());
      if (found === undefined) throw notFound(EXPORT_ID);
      return manifestOf(found);
    },
});
