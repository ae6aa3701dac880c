/**
 * The fields of a transaction in responses and files, in the order of a CSV file's columns, with the kinds of
 * their values. A transaction has an optional field only if it has a value.
 *
 * A file has a column for an optional text only on request. Details are texts by name. The time of their
 * removal is not part of a recording.
 */
export const FIELD_KINDS = {
  reference: 'text',
  merchantReference: 'text or null',
  status: 'text',
  amount: 'text',
  currencyCode: 'text',
  paidAt: 'text or null',
  createdAt: 'text',
  /** The reference of a related transaction, such as the payment of a refund. It need not be recorded. */
  relatedTo: 'optional',
  details: 'details',
  detailsRemovedAt: 'removal',
} as const;

/** The fields with values of the given kinds. */
export type FieldOf<Kind extends string> = {
  [Name in keyof typeof FIELD_KINDS]: (typeof FIELD_KINDS)[Name] extends Kind ? Name : never;
}[keyof typeof FIELD_KINDS];

/** The fields that every transaction has. */
export type WholeField = FieldOf<'text' | 'text or null'>;
/** The fields that a file has columns for only on request. */
export type ColumnField = FieldOf<'optional'>;
export type ResponseField = keyof typeof FIELD_KINDS;

/** The fields of the given kinds, in the order of FIELD_KINDS. */
export const fieldsOf = <Kind extends string>(...kinds: Kind[]) =>
  Object.entries(FIELD_KINDS)
    .filter(([, kind]) => kinds.some((one) => one === kind))
    .map(([name]) => name as FieldOf<Kind>);

export const COLUMN_FIELDS = fieldsOf('optional');

/** The optional texts as properties. */
export type OptionalTexts<Value = string> = {
  -readonly [Name in keyof Pick<typeof FIELD_KINDS, ColumnField>]?: Value;
};

/** A word or two in the languages of the page. */
export type Words = Readonly<Record<'en' | 'de' | 'fr', string>>;

/** The names of the fields on the page, in each language. */
export const FIELD_LABELS = {
  reference: { en: 'Payment ID', de: 'Zahlungs-ID', fr: 'ID de paiement' },
  merchantReference: { en: 'Your reference', de: 'Ihre Referenz', fr: 'Votre référence' },
  status: { en: 'Status', de: 'Status', fr: 'Statut' },
  amount: { en: 'Amount', de: 'Betrag', fr: 'Montant' },
  currencyCode: { en: 'Currency', de: 'Währung', fr: 'Devise' },
  paidAt: { en: 'Paid', de: 'Bezahlt', fr: 'Paiement' },
  createdAt: { en: 'Created', de: 'Erstellt', fr: 'Création' },
  relatedTo: { en: 'Related to', de: 'Gehört zu', fr: 'Liée à' },
} as const satisfies Record<WholeField | ColumnField, Words>;
