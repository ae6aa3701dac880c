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
  /** The reference of another transaction of the account, recorded or not, such as a refund's payment. */
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

/** The optional texts as properties. */
export type OptionalTexts<Value = string> = {
  -readonly [Name in keyof Pick<typeof FIELD_KINDS, ColumnField>]?: Value;
};

/** A word or two in the languages of the page. */
export type Words = Readonly<Record<'en' | 'de' | 'fr', string>>;

/** The names of the fields on the page. */
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
