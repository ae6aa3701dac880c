/**
 * An amount grouped by thousands. It stays a string, so no digit is lost. A negative amount gets U+2212, the minus sign
 * that screen readers speak.
 */
export function groupedAmount(amount: string): string {
  const [, sign = '', whole = amount, rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  return `${sign === '-' ? '\u2212' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
