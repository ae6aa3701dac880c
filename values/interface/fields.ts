/**
 * The fields of a transaction in responses and files, in the order of the columns of a CSV file, with the
 * kinds of their values. A transaction has an optional field only if it has a value.
 *
 * An optional text is a column of a file only on request. Details are texts by name; their removal is a time,
 * which recordings do not have.
 */
export const FIELD_KINDS = {
  reference: 'text',
  merchantReference: 'text or null',
  status: 'text',
  amount: 'text',
  currencyCode: 'text',
  paidAt: 'text or null',
  createdAt: 'text',
  relatedTo: 'optional',
  details: 'details',
  detailsRemovedAt: 'removal',
} as const;

/** The fields whose values are of some kinds. */
export type FieldOf<Kind extends string> = {
  [Name in keyof typeof FIELD_KINDS]: (typeof FIELD_KINDS)[Name] extends Kind ? Name : never;
}[keyof typeof FIELD_KINDS];

/** The fields that every transaction has. */
export type WholeField = FieldOf<'text' | 'text or null'>;
/** The fields that are columns of a file only on request. */
export type ColumnField = FieldOf<'optional'>;
export type ResponseField = keyof typeof FIELD_KINDS;

/** The names of the fields of some kinds, in their order. */
export const fieldsOf = <Kind extends string>(...kinds: Kind[]) =>
  Object.entries(FIELD_KINDS)
    .filter(([, kind]) => kinds.some((one) => one === kind))
    .map(([name]) => name as FieldOf<Kind>);

export const COLUMN_FIELDS = fieldsOf('optional');
