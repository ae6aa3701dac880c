import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Row } from '../../statement.ts';

export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface ReadStatement<Read> extends Statement {
  readonly readRow: (row: Row) => Read;
}

/** The name is a hash, because other versions of the service can prepare other texts in a pooled session. */
export function statement(text: string): Statement {
  return { name: `transactions_${hash('sha256', text, 'base64url').slice(0, 22)}`, text };
}

export function readStatement<Read>(text: string, readRow: (row: Row) => Read): ReadStatement<Read> {
  return { ...statement(text), readRow };
}

export interface TxStep<Read = unknown> {
  readonly statement: ReadStatement<Read>;
  readonly values: readonly Value[];
}

export type TxRows<Steps extends readonly TxStep[]> = {
  -readonly [Index in keyof Steps]: Steps[Index] extends TxStep<infer Read> ? Read[] : never;
};

export function arrayText(values: readonly (string | number | null)[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else text += `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
  }
  return `${text}}`;
}

/** A `bigint` or `integer` is a number. Other values are texts, as PostgreSQL writes them, or null. */
export type Value = string | number | null;

const INT8 = 20;
const INT4 = 23;
const asText = (text: string) => text;

/** Numbers are exact here, because minor units and milliseconds stay far below 2^53. */
const TYPES = {
  getTypeParser: (oid: number) => (oid === INT8 || oid === INT4 ? Number : asText),
} as pg.CustomTypesConfig;

export async function readColumn(
  client: pg.Client,
  text: string,
  values?: readonly unknown[],
): Promise<string[]> {
  const { rows } = await client.query<[string]>(arrayQuery(text, values));
  return rows.map(([value]) => value);
}

export function arrayQuery(text: string, values: readonly unknown[] = [], name?: string) {
  return {
    text,
    values: values as unknown[],
    rowMode: 'array' as const,
    types: TYPES,
    ...(name !== undefined && { name }),
  };
}
