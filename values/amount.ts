import { quote } from './quote.ts';

/* Amounts are hundredths in every currency, and below 2^53. Sums can be larger, so they are BigInts. */

export const MAX_AMOUNT_MINOR = 999_999_999_999_999;

const AMOUNT = /^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,2})?$/;

/** Returns hundredths. */
export function parseAmount(text: string): number | undefined {
  if (!AMOUNT.test(text)) return undefined;
  const negative = text.startsWith('-');
  const point = text.indexOf('.');
  const whole = Number(text.slice(negative ? 1 : 0, point === -1 ? undefined : point));
  const cents = point === -1 ? 0 : Number(text.slice(point + 1).padEnd(2, '0'));
  const minor = whole * 100 + cents;
  if (!negative) return minor;
  return minor === 0 ? undefined : -minor;
}

const DECIMALS = Array.from({ length: 100 }, (_, hundredths) => `.${String(hundredths).padStart(2, '0')}`);

export function formatAmount(amountMinor: number): string {
  const absolute = Math.abs(amountMinor);
  const hundredths = absolute % 100;
  return `${amountMinor < 0 ? '-' : ''}${(absolute - hundredths) / 100}${DECIMALS[hundredths]}`;
}

export function formatSum(sumMinor: bigint): string {
  const absolute = sumMinor < 0n ? -sumMinor : sumMinor;
  return `${sumMinor < 0n ? '-' : ''}${absolute / 100n}${DECIMALS[Number(absolute % 100n)]}`;
}

export function explainAmount(text: string, currencyCode?: unknown): string {
  const form = 'write a decimal number with two decimals, for example 12.50';
  if (text === '') return `is empty; ${form}`;
  if (/^-?\d+\.\d{3,}$/.test(text)) {
    const fault = `${quote(text)} has more than two decimals, so it cannot be stored exactly`;
    if (typeof currencyCode !== 'string' || !MORE_DECIMALS.has(currencyCode)) return fault;
    return `${fault}; the specification writes amounts with two decimals in every currency, also in ${currencyCode}`;
  }
  if (/^-?[1-9]\d{13,}(\.\d{1,2})?$/.test(text))
    return `${quote(text)} is too large; write at most 13 digits before the point`;
  if (/^-0(\.00?)?$/.test(text)) return `${quote(text)} is zero with a sign; write 0.00`;
  if (/^-?\d*,\d+/.test(text)) return `${quote(text)} has a comma; ${form}`;
  return `${quote(text)} is not an amount; ${form}`;
}

/** The publication date of the list from which ACTIVE_CURRENCIES was taken. */
export const CURRENCY_LIST_DATE = '2026-01-01';

/**
 * Source: SIX Group, ISO 4217 Maintenance Agency, list-one.xml. The list of `Intl` is not used, because it
 * contains withdrawn codes and changes with the version of Node. If a later list withdraws a code, the code
 * stays valid as a filter (SPEC.md).
 */
const ACTIVE_CURRENCIES: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
   CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP
   GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
   KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
   MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
   SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
   USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD
   XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG`.split(/\s+/),
);

export const CURRENCY_FORM = '^[A-Z]{3}$';

/** Currencies with more than two decimals. Source: ISO 4217. */
const MORE_DECIMALS: ReadonlySet<string> = new Set('BHD CLF IQD JOD KWD LYD OMR TND UYW'.split(' '));

export function isActiveCurrency(text: string): boolean {
  return ACTIVE_CURRENCIES.has(text);
}

export function explainCurrency(text: string): string {
  const form = 'Write a three-letter ISO 4217 code in upper case, for example EUR.';
  if (text === '') return `The value is empty. ${form}`;
  const several = text
    .toUpperCase()
    .split(/[,;|\s]+/)
    .filter((part) => part !== '');
  if (several.length > 1 && several.every(isActiveCurrency))
    return `${quote(text)} is several currencies: send currency in a request for each, or omit it for all.`;
  const upper = text.trim().toUpperCase();
  if (isActiveCurrency(upper)) return `${quote(text)} is not a currency code: did you mean ${upper}?`;
  if (/^[A-Z]{3}$/.test(text))
    return `${text} is not an active ISO 4217 code (list of ${CURRENCY_LIST_DATE}).`;
  return `${quote(text)} is not a currency code. ${form}`;
}
