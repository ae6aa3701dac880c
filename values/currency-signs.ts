const CODES: readonly string[] = Intl.supportedValuesOf('currency');

const OTHER_SIGNS: Readonly<Record<string, readonly string[]>> = {
  us$: ['USD'],
  'eur.': ['EUR'],
  kr: ['DKK', 'ISK', 'NOK', 'SEK'],
  'fr.': ['CHF'],
  'sfr.': ['CHF'],
  lei: ['RON'],
  leu: ['RON'],
  zł: ['PLN'],
  kč: ['CZK'],
  ft: ['HUF'],
  '\u5186': ['JPY'],
  '\u5143': ['CNY'],
};

const NAMES: Readonly<Record<string, string>> = {
  euro: '\u20ac',
  euros: '\u20ac',
  dollar: '$',
  dollars: '$',
};

const known = new Map<string | undefined, Map<string, readonly string[]>>();

/** Single letters are left out, because they are more often parts of references than signs. */
function signsIn(language: string | undefined): Map<string, readonly string[]> {
  const signs = known.get(language) ?? new Map<string, string[]>();
  if (!known.has(language)) {
    known.set(language, signs);
    for (const currency of CODES) {
      for (const currencyDisplay of ['narrowSymbol', 'symbol'] as const) {
        const sign = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay })
          .formatToParts(1)
          .find(({ type }) => type === 'currency')
          ?.value.normalize('NFKC');
        if (sign === undefined || sign === currency || /^\p{L}$/u.test(sign)) continue;
        signs.set(sign, [...new Set([...(signs.get(sign) ?? []), currency])]);
      }
    }
  }
  return signs;
}

export function currenciesOf(written: string, language?: string): readonly string[] {
  const text = NAMES[written.toLowerCase()] ?? written;
  const code = text.toUpperCase();
  if (CODES.includes(code)) return [code];
  if (text.length > 5 || /\p{Nd}/u.test(text)) return [];
  const found = [language, 'en'].flatMap((one) => signsIn(one).get(text) ?? []);
  return found.length > 0 ? [...new Set(found)] : (OTHER_SIGNS[text.toLowerCase()] ?? []);
}
