/**
 * The fields of a transaction in responses and files, in the order of the columns of a CSV file, with what
 * their values are. A transaction has an optional one only where there is a value.
 *
 * An optional text is in a file in a column on wish. Details are texts by their names; their removal is a
 * time, which no recording has.
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
/** The fields that a file has in a column of their own on wish. */
export type ColumnField = FieldOf<'optional'>;
export type ResponseField = keyof typeof FIELD_KINDS;

/** The names of the fields of some kinds, in their order. */
export const fieldsOf = <Kind extends string>(...kinds: Kind[]) =>
  Object.entries(FIELD_KINDS)
    .filter(([, kind]) => kinds.some((one) => one === kind))
    .map(([name]) => name as FieldOf<Kind>);

export const COLUMN_FIELDS = fieldsOf('optional');
