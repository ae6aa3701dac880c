import { Type } from 'typebox';

/** A string of a schema, or null. */
export const nullable = <Schema extends object>(schema: Schema) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });
