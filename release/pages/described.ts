import type { Schema } from '../../src/http/schemas/type.ts';

export interface DescribedDocument {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  webhooks?: Readonly<Record<string, { post: DescribedOperation }>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    securitySchemes: { apiKey: { description: string } };
  };
}

interface DescribedOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  security: readonly { apiKey?: readonly string[] }[];
  parameters?: readonly (Reference | DescribedParameter)[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, Reference | DescribedResponse>>;
}

export interface Reference {
  $ref: string;
}

export interface DescribedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface DescribedResponse {
  description: string;
  headers?: Readonly<Record<string, Reference | { description?: string; schema: Schema }>>;
  content?: Readonly<Record<string, ResponseContent>>;
}

export interface ResponseContent {
  schema?: Schema;
  examples?: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

export interface PlacedOperation extends DescribedOperation {
  method: string;
  path: string;
  /** True if the service sends the request. */
  isSent: boolean;
}

export const operationAddress = ({ operationId }: Pick<DescribedOperation, 'operationId'>): string =>
  `/docs/${operationId}`;

export function operationsOf(document: DescribedDocument): PlacedOperation[] {
  const received = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      isSent: false,
    })),
  );
  const sent = Object.values(document.webhooks ?? {}).map(({ post }) => ({
    ...post,
    method: 'POST',
    path: 'the URL of your endpoint',
    isSent: true,
  }));
  return [...received, ...sent];
}

export function resolved<Value extends object>(document: DescribedDocument, value: Value | Reference): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return document.components[kind]?.[name] as Value;
}

interface DescribedField {
  path: string;
  isRequired: boolean;
  schema: Schema;
}

const MAX_DEPTH = 6;

export function fieldsOf(
  document: DescribedDocument,
  schema: Schema,
  path = '',
  depth = 0,
): DescribedField[] {
  const whole = resolved<Schema>(document, schema);
  const items = whole['items'] as Schema | undefined;
  if (depth > MAX_DEPTH) return [];
  if (items !== undefined) return fieldsOf(document, items, `${path}[]`, depth + 1);
  const required = (whole['required'] ?? []) as string[];
  return Object.entries((whole['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, own]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const merged = { ...resolved<Schema>(document, own), ...own };
    return [
      { path: at, isRequired: required.includes(name), schema: merged },
      ...fieldsOf(document, own, at, depth + 1),
    ];
  });
}

export function typeText(document: DescribedDocument, schema: Schema): string {
  const whole = resolved<Schema>(document, schema);
  const choices = (whole['anyOf'] ?? whole['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return choices.map((choice) => typeText(document, choice)).join(' or ');
  const { enum: values, format, minimum, maximum, minLength, maxLength, maxItems, default: value } = whole;
  if (Array.isArray(values))
    return withDefault(values.map((choice) => JSON.stringify(choice)).join(', '), value);
  const items = whole['items'] as Schema | undefined;
  const names = [whole['type'] ?? 'value'].flat().map(String);
  const kind =
    items === undefined
      ? names.join(' or ')
      : `list of ${resolved<Schema>(document, items)['title'] ?? typeText(document, items)}`;
  const limits = [
    format,
    range(minimum, maximum),
    lengths(minLength, maxLength, 'characters'),
    lengths(undefined, maxItems, 'entries'),
  ].filter((limit) => limit !== undefined);
  return withDefault([kind, ...limits].join(', '), value);
}

const withDefault = (text: string, value: unknown) =>
  value === undefined ? text : `${text}; ${JSON.stringify(value)} by default`;

function range(least: unknown, most: unknown): string | undefined {
  if (most === undefined) return least === undefined ? undefined : `at least ${least}`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}

const lengths = (least: unknown, most: unknown, of: string) =>
  most === undefined ? undefined : `${range(least, most)} ${of}`;

export function exampleOfSchema(document: DescribedDocument, schema: Schema): unknown {
  const whole = { ...resolved<Schema>(document, schema), ...schema };
  const [example] = (whole['examples'] ?? []) as unknown[];
  if (example !== undefined) return example;
  const { enum: values, default: value, items, properties } = whole;
  if (value !== undefined) return value;
  if (Array.isArray(values)) return values[0];
  if (items !== undefined) {
    const item = exampleOfSchema(document, items as Schema);
    return item === undefined ? undefined : [item];
  }
  if (properties === undefined) return undefined;
  const entries = Object.entries(properties as Record<string, Schema>)
    .map(([name, own]) => [name, exampleOfSchema(document, own)] as const)
    .filter(([, own]) => own !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
