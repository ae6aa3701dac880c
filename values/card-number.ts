import { withLatinDigits } from './written-amount.ts';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

const STANDING_ALONE = /\d(?:[\p{Zs}\p{Pd}]*\d)+/gu;
const DIGITS = /\d(?:[^\p{L}\d]{0,2}\d)+/gu;

/** Visa, Mastercard, American Express, Diners Club, JCB, Discover and UnionPay, with their usual lengths. */
const OF_NETWORK =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|2\d\d|4[4-9]\d|5\d\d)\d{12})$/;
/** Maestro, and unusual lengths of Visa, Discover and UnionPay. Many other numbers match too. */
const OF_NETWORK_AS_GROUPS = /^(?:4(?:\d{12}|\d{18})|(?:50|5[6-9]|6\d)\d{11,17})$/;

/** Never card numbers, even if they pass Luhn's check. */
const OTHER_NUMBERS = [
  /(?<![\p{L}\d])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\d])/giu,
  // A day, with or without a time.
  /(?<!\d)(?:(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:[0-2]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([./])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d)(?:,?[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(?!\d)/g,
  // A time in milliseconds. No card number with 13 digits begins with 1.
  /(?<!\d)1\d{12}(?!\d)/g,
  // A phone number.
  /(?<!\d)\+[1-9](?:[ ().\-/]{0,2}\d){6,14}(?![ ().\-/]{0,2}\d)/g,
];
const IBAN = /(?<![\p{L}\d])[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?(?![\p{L}\d])/giu;

export function hasCardNumber(text: string): boolean {
  const written = withLatinDigits(text.normalize('NFKC'));
  if (written.replaceAll(/\D/g, '').length < MIN_DIGITS) return false;
  const rest = OTHER_NUMBERS.reduce((left, other) => left.replaceAll(other, 'x'), withoutIbans(written));
  return (
    (rest.match(STANDING_ALONE) ?? []).some((found) => passesLuhn(found.replaceAll(/\D/g, ''))) ||
    (rest.match(DIGITS) ?? []).some(hasNumberOfNetwork)
  );
}

function hasNumberOfNetwork(found: string): boolean {
  const groups = found.split(/\D+/);
  const digits = groups.join('');
  let length = 0;
  const edges = new Set([0, ...groups.map((group) => (length += group.length))]);
  for (let from = 0; from <= digits.length - MIN_DIGITS; from++)
    for (let to = from + MIN_DIGITS; to <= Math.min(from + MAX_DIGITS, digits.length); to++) {
      const window = digits.slice(from, to);
      const isOfGroups = edges.has(from) && edges.has(to);
      const isOfNetwork = OF_NETWORK.test(window) || (isOfGroups && OF_NETWORK_AS_GROUPS.test(window));
      if (isOfNetwork && passesLuhn(window)) return true;
    }
  return false;
}

/** A match of `IBAN` can include words that follow an IBAN. So only groups of a valid IBAN are removed. */
const withoutIbans = (text: string): string =>
  text.replaceAll(IBAN, (found) => {
    const groups = found.split(' ');
    const end = groups.findLastIndex((_, at) => isIban(groups.slice(0, at + 1).join('')));
    return end === -1 ? found : ['x', withoutIbans(groups.slice(end + 1).join(' '))].join(' ');
  });

/** Source: ISO 13616-1 and ISO 7064, MOD 97-10. */
function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false;
  const numbers = [...text.slice(4), ...text.slice(0, 4)].map((one) => Number.parseInt(one, 36));
  return BigInt(numbers.join('')) % 97n === 1n;
}

function passesLuhn(digits: string): boolean {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  let sum = 0;
  for (let at = digits.length - 1, isSecond = false; at >= 0; at--, isSecond = !isSecond) {
    const digit = Number(digits[at]) * (isSecond ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
