/** The fields are in the order of a CSV file's columns. Optional fields are columns only on request. */
export const FIELD_KINDS = {
  reference: 'text',
  merchantReference: 'text or null',
  status: 'text',
  amount: 'text',
  currencyCode: 'text',
  paidAt: 'text or null',
  createdAt: 'text',
  /** In a refund, for example, this is the payment's reference. The payment need not be recorded. */
  relatedTo: 'optional',
  details: 'details',
  detailsRemovedAt: 'removal',
} as const;

export type FieldOf<Kind extends string> = {
  [Name in keyof typeof FIELD_KINDS]: (typeof FIELD_KINDS)[Name] extends Kind ? Name : never;
}[keyof typeof FIELD_KINDS];

export type WholeField = FieldOf<'text' | 'text or null'>;
export type ColumnField = FieldOf<'optional'>;
export type ResponseField = keyof typeof FIELD_KINDS;

export const fieldsOf = <Kind extends string>(...kinds: Kind[]) =>
  Object.entries(FIELD_KINDS)
    .filter(([, kind]) => kinds.some((one) => one === kind))
    .map(([name]) => name as FieldOf<Kind>);

export const COLUMN_FIELDS = fieldsOf('optional');

export type OptionalTexts<Value = string> = {
  -readonly [Name in keyof Pick<typeof FIELD_KINDS, ColumnField>]?: Value;
};

export type Words = Readonly<Record<'en' | 'de' | 'fr', string>>;

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
