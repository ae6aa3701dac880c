export type Details = Readonly<Record<string, string>>;

export const DETAIL_NAME_FORM = '^[a-z][a-zA-Z0-9]{0,31}$';

const NAME = new RegExp(DETAIL_NAME_FORM);

export const isDetailName = (text: string): boolean => NAME.test(text);

export const DETAIL_PREFIX = 'details.';

export function detailOfColumn(column: string): string | undefined {
  const name = column.startsWith(DETAIL_PREFIX) ? column.slice(DETAIL_PREFIX.length) : '';
  return isDetailName(name) ? name : undefined;
}

export const detailOf = (details: Details | undefined, name: string): string | undefined =>
  details !== undefined && Object.hasOwn(details, name) ? details[name] : undefined;
