/**
 * An amount grouped by thousands for reading. Only the text is worked on, so no digit is ever lost.
 *
 * A negative amount gets the minus sign of typography, which screen readers speak.
 */
export function groupedAmount(amount: string): string {
  const [, sign = '', whole = amount, rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  return `${sign === '-' ? '\u2212' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
