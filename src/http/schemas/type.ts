/* Replaces a package of 680 modules, which would take half of the start time and 20 MB. */

declare const value: unique symbol;
const OPTIONAL = Symbol('optional');
const TARGET = Symbol('target of a reference');

/** `value` exists only for the compiler: it is the type of the values that the schema describes. */
export interface Schema<Value = unknown> {
  readonly [value]?: Value;
  readonly [keyword: string]: unknown;
}

interface OptionalSchema<Value> extends Schema<Value> {
  readonly [OPTIONAL]: true;
}

export type Static<Described> = Described extends Schema<infer Value> ? Value : never;

type Keywords = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Schema>>;

type OptionalNames<Described> = {
  [Name in keyof Described]: Described[Name] extends OptionalSchema<unknown> ? Name : never;
}[keyof Described];

type ObjectOf<Described> = {
  [Name in Exclude<keyof Described, OptionalNames<Described>>]: Static<Described[Name]>;
} & { [Name in OptionalNames<Described>]?: Static<Described[Name]> };

type Flat<Value> = { [Name in keyof Value]: Value[Name] };

export const Type = {
  String: (keywords: Keywords = {}): Schema<string> => ({ type: 'string', ...keywords }),
  Integer: (keywords: Keywords = {}): Schema<number> => ({ type: 'integer', ...keywords }),
  Boolean: (keywords: Keywords = {}): Schema<boolean> => ({ type: 'boolean', ...keywords }),
  Enum: <const Name extends string>(names: readonly Name[], keywords: Keywords = {}): Schema<Name> => ({
    type: 'string',
    enum: names,
    ...keywords,
  }),
  /** A program must accept names that it does not know, because a later version can add names. */
  OpenEnum: <const Name extends string>(names: readonly Name[], description = ''): Schema<Name> => ({
    type: 'string',
    description: `${description} Known values: ${names.join(', ')}. A later version can have more.`.trim(),
    examples: names,
  }),
  Nullable: (keywords: Keywords = {}): Schema<string | null> => ({ ...keywords, type: ['string', 'null'] }),
  NullableInteger: (keywords: Keywords = {}): Schema<number | null> => ({
    ...keywords,
    type: ['integer', 'null'],
  }),
  Array: <Item>(items: Schema<Item>, keywords: Keywords = {}): Schema<Item[]> => ({
    type: 'array',
    items,
    ...keywords,
  }),
  NullableArray: <Item>(items: Schema<Item>, keywords: Keywords = {}): Schema<Item[] | null> => ({
    type: ['array', 'null'],
    items,
    ...keywords,
  }),
  AnyOf: <Described extends readonly Schema[]>(...anyOf: Described): Schema<Static<Described[number]>> => ({
    anyOf,
  }),
  AllOf: <First, Second>(first: Schema<First>, second: Schema<Second>): Schema<First & Second> => ({
    allOf: [first, second],
  }),
  Optional: <Value>(schema: Schema<Value>): OptionalSchema<Value> => ({ ...schema, [OPTIONAL]: true }),
  Object: <const Described extends Fields>(
    properties: Described,
    keywords: Keywords = {},
  ): Schema<Flat<ObjectOf<Described>>> => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as Schema)));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...keywords };
  },
  Ref: <Value>(schema: Schema<Value>): Schema<Value> => ({ $ref: schema['$id'], [TARGET]: schema }),
};

export function referencedSchemas(value: unknown, found = new Set<Schema>()): ReadonlySet<Schema> {
  if (typeof value !== 'object' || value === null) return found;
  const target = (value as { [TARGET]?: Schema })[TARGET];
  if (target === undefined) {
    for (const part of Object.values(value)) referencedSchemas(part, found);
  } else if (!found.has(target)) {
    found.add(target);
    referencedSchemas(target, found);
  }
  return found;
}
