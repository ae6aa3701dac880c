import { TIMESTAMP_FORM } from '../../../../values/calendar.ts';
import { type Schema, type Static, Type } from '../../../http/schemas/type.ts';
import { ARCHIVED_BEFORE } from '../../http/archived-before.ts';
import { TotalSchema } from '../../http/totals-schemas.ts';
import { TransactionSchema } from '../../http/transaction-schemas.ts';
import { EXPORT_ID_FORM, type manifestOf } from '../export.ts';

const SHA256_FORM = '^[0-9a-f]{64}$';

const whenComplete = (description: string) => `${description} Null until the export is complete.`;

export const ExportSchema = Type.Object(
  {
    id: Type.String({ pattern: EXPORT_ID_FORM, examples: ['exp_0123456789abcdef'] }),
    state: Type.OpenEnum(
      ['running', 'complete'],
      'complete: every transaction was sent, and they agree with the totals of the account. An export that was cut never becomes complete.',
    ),
    format: Type.OpenEnum(['csv', 'ndjson']),
    spreadsheet: Type.Optional(
      Type.Boolean({ description: 'With CSV, the value of the parameter spreadsheet.' }),
    ),
    filters: Type.Object(
      {},
      { description: 'The filters that were sent.', additionalProperties: { type: 'string' } },
    ),
    asOf: Type.Integer({
      minimum: 0,
      description:
        'The sequence number of the last change that is shown: the last one when the export began.',
    }),
    asOfId: Type.Nullable({ description: 'The id of that change; null if there was none.' }),
    seal: Type.Nullable({
      description: 'The seal at that change. Null if many changes before it were not sealed yet.',
    }),
    ...ARCHIVED_BEFORE,
    rows: Type.NullableInteger({ minimum: 0, description: whenComplete('The number of transactions.') }),
    bytes: Type.NullableInteger({
      minimum: 0,
      description: whenComplete('The number of bytes, without the manifest line and without compression.'),
    }),
    sha256: Type.Nullable({
      pattern: SHA256_FORM,
      description: whenComplete('The SHA-256 of these bytes in hexadecimal, as sha256sum prints it.'),
    }),
    totals: Type.Array(Type.Ref(TotalSchema), {
      description:
        'What the transactions add up to, for each currency and status. The service compares what it sent with them.',
    }),
    startedAt: Type.String({ format: 'date-time', pattern: TIMESTAMP_FORM }),
    finishedAt: Type.Nullable({ format: 'date-time', pattern: TIMESTAMP_FORM }),
  } satisfies Record<keyof ReturnType<typeof manifestOf>, Schema>,
  {
    $id: 'Export',
    title: 'Export',
    description: 'The manifest of an export: what it contained, for comparison with what arrived.',
  },
);
export type ExportBody = Static<typeof ExportSchema>;

export const ExportLineSchema = Type.AnyOf(
  Type.Ref(TransactionSchema),
  Type.Object(
    {
      recordedAt: Type.String({ format: 'date-time' }),
      statusRecordedAt: Type.String({ format: 'date-time' }),
    },
    {
      title: 'RecordedTransaction',
      description: 'A Transaction and these fields, with the parameter recordedAt.',
      additionalProperties: true,
    },
  ),
  Type.Object({ export: Type.Ref(ExportSchema) }, { title: 'ManifestLine', description: 'The last line.' }),
);
