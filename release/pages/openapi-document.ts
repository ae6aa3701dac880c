import { STATUS_CODES } from 'node:http';
import packageJson from '#package' with { type: 'json' };
import { errorExample } from '../../src/http/examples.ts';
import type { ListenerOperation, Operation } from '../../src/http/operations/operation.ts';
import { ownErrors, problemsOf } from '../../src/http/operations/operation-problems.ts';
import { parametersOf } from '../../src/http/operations/parameters.ts';
import type { ProblemKind } from '../../src/http/problems/problem-kind.ts';
import { PROBLEM_TYPE, ProblemDocumentSchema } from '../../src/http/schemas/problem.ts';
import {
  BEFORE_KEY,
  type Example,
  HEADERS,
  headersOf,
  type ResponseDescription,
} from '../../src/http/schemas/responses.ts';
import { referencedSchemas, type Schema, Type } from '../../src/http/schemas/type.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import type { StatusNames } from '../../values/status.ts';
import { type ResponseItem, shareComponents } from './shared-components.ts';

export interface ApiDescription {
  title: string;
  description: string;
  keyDescription: string;
  tags: readonly { name: string; description: string }[];
  webhooks?: Readonly<Record<string, WebhookDescription>>;
}

export interface WebhookDescription {
  id: string;
  summary: string;
  description: string;
  headers: Readonly<Record<string, Schema>>;
  body: Schema;
  responses: Readonly<Record<string, string>>;
}

const REFERENCE = '#/components';

/** `programs` get one example of each response. `people` get all examples, on a page of the reference. */
export type DocumentReader = 'programs' | 'people';

export function openapiDocument(
  operations: readonly Operation<never>[],
  listener: Listener,
  statuses: StatusNames,
  reader: DocumentReader,
  { title, description, keyDescription, tags, webhooks = {} }: ApiDescription,
): object {
  const offered = operations.filter((operation) => operation[listener] !== undefined);
  const kinds = new Set(offered.flatMap((operation) => problemsOf(operation, listener)));
  const errors = Map.groupBy(kinds, ({ status }) => (BEFORE_KEY.includes(status) ? 'default' : status));
  const shared = shareComponents(
    offered.map((operation) => operationItem(operation, listener, statuses, reader)),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [index, operation] of offered.entries()) {
    const { path } = operation[listener] as ListenerOperation;
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [operation.method.toLowerCase()]: shared.items[index] };
  }
  const sent = Object.entries(webhooks).map(([name, webhook]) => [name, { post: webhookItem(webhook) }]);
  const schemas = [...referencedSchemas([offered.map(schemasOf), webhooks, Type.Ref(ProblemDocumentSchema)])];
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: packageJson.version,
      description: `${description} Every response has the header Cache-Control: no-store, and Key-Expires, the time from which the key is refused, if that is within seven days. Every error has a page with its cause, its solution and an example: [errors](/errors).`,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document comes from' }],
    tags,
    paths,
    ...(sent.length > 0 && { webhooks: Object.fromEntries(sent) }),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: keyDescription } },
      schemas: Object.fromEntries(schemas.map((schema) => [schema['$id'], schema])),
      ...shared.components,
      headers: {
        ...Object.fromEntries(Object.entries(HEADERS).map(([name, schema]) => [name, described(schema)])),
        ...shared.components.headers,
      },
      responses: Object.fromEntries(
        [...errors].map(([status, ofStatus]) => [
          responseName(status),
          errorResponse(status, ofStatus, listener, reader),
        ]),
      ),
    },
  };
  return JSON.parse(JSON.stringify(document, pointToComponents));
}

/** Schemas refer to each other by $id, but OpenAPI needs a path in the document. */
const pointToComponents = (name: string, value: unknown) =>
  name === '$id'
    ? undefined
    : name === '$ref' && !String(value).startsWith('#')
      ? `${REFERENCE}/schemas/${value}`
      : value;

const schemasOf = ({ body, responses }: Operation<never>) => [
  body,
  typeof responses === 'function' ? responses('') : responses,
];

function operationItem(
  operation: Operation<never>,
  listener: Listener,
  statuses: StatusNames,
  reader: DocumentReader,
) {
  const { pathParameters, query, headers = {}, body, responses } = operation;
  const { id, path, access, tag, summary, description } = operation[listener] as ListenerOperation;
  const inPath = parametersOf(path, pathParameters);
  const inQuery = typeof query === 'function' ? query(statuses) : (query ?? {});
  const hasKey = access !== 'no key';
  const parameters = [
    ...Object.entries(inPath).map(([name, { schema }]) => parameter(name, 'path', schema)),
    ...Object.entries(inQuery).map(([name, { schema, isDocumentedAsRequired }]) =>
      parameter(name, 'query', schema, isDocumentedAsRequired),
    ),
    ...Object.entries(headers).map(([name, schema]) => parameter(name, 'header', schema)),
  ];
  const success = typeof responses === 'function' ? responses(examplePath(path, inPath)) : responses;
  const failures = new Set(problemsOf(operation, listener).map(({ status }) => status));
  const listed = [...failures].filter((status) => !BEFORE_KEY.includes(status));
  const codes = ownErrors(operation).map((code) => `\`${code}\``);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: codes.length === 0 ? description : `${description} Its errors: ${codes.join(', ')}.`,
    security: hasKey ? [{ apiKey: access === 'any key' ? [] : [access] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: !body.isOptional, content: { [body.type]: { schema: body.schema } } },
    }),
    responses: {
      ...Object.fromEntries(
        [...listed, 'default' as const].map((status) => [
          status,
          { $ref: `${REFERENCE}/responses/${responseName(status)}` },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(success).map(([status, response]) => [
          status,
          responseItem(response, reader, headersOf(Number(status), { hasKey, listener })),
        ]),
      ),
    },
  };
}

function described({ description, ...schema }: Schema): { description?: unknown; schema: Schema } {
  return { ...(description !== undefined && { description }), schema };
}

const parameter = (name: string, place: string, schema: Schema, isRequired = place === 'path') => ({
  name,
  in: place,
  required: isRequired,
  ...described(schema),
});

const exampleOf = (examples: Readonly<Record<string, Example>>, reader: DocumentReader) =>
  reader === 'people' ? { examples } : { example: Object.values(examples)[0]?.value };

const responseItem = (
  { description, content, headers }: ResponseDescription,
  reader: DocumentReader,
  common: readonly string[],
): ResponseItem => ({
  description,
  headers: {
    ...Object.fromEntries(common.map((name) => [name, { $ref: `${REFERENCE}/headers/${name}` }])),
    ...Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, described(schema)])),
  },
  ...(content && {
    content: Object.fromEntries(
      Object.entries(content).map(([type, { schema, examples }]) => [
        type,
        { schema, ...exampleOf(examples, reader) },
      ]),
    ),
  }),
});

/** `default` stands for every error that occurs before the key is checked. */
type ErrorStatus = number | 'default';

const responseName = (status: ErrorStatus) =>
  status === 'default' ? 'Error' : String(STATUS_CODES[status]).replaceAll(' ', '');

function errorResponse(
  status: ErrorStatus,
  kinds: readonly ProblemKind[],
  listener: Listener,
  reader: DocumentReader,
): object {
  const examples = Object.fromEntries(
    kinds
      .map((kind) => [kind.code, { summary: kind.title, value: errorExample(kind).response }] as const)
      .sort(([, left], [, right]) => JSON.stringify(left).length - JSON.stringify(right).length),
  );
  const codes = kinds.map(({ code }) => `\`${code}\``).join(', ');
  const description =
    status === 'default' ? `Any other error: ${codes}.` : `${STATUS_CODES[status]}: ${codes}.`;
  const content = { [PROBLEM_TYPE]: { schema: Type.Ref(ProblemDocumentSchema), examples } };
  const common =
    status === 'default'
      ? headersOf(0, { hasKey: false, listener })
      : headersOf(status, { hasKey: true, listener });
  return responseItem({ description, headers: {}, content }, reader, common);
}

const webhookItem = ({ id, summary, description, headers, body, responses }: WebhookDescription) => ({
  operationId: id,
  tags: ['webhooks'],
  summary,
  description,
  security: [],
  parameters: Object.entries(headers).map(([name, schema]) => ({
    ...parameter(name, 'header', schema),
    required: true,
  })),
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, text]) => [status, { description: text }]),
  ),
});

const examplePath = (path: string, parameters: ReturnType<typeof parametersOf>) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const [example] = (parameters[name]?.schema['examples'] ?? []) as string[];
    return String(example);
  });
