import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { problemsOf } from '../../../src/http/operations/operation-problems.ts';
import { OPERATIONS } from '../../../src/service/operations.ts';
import { kindOf } from './problems.ts';

interface Response {
  method: string;
  path: string;
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

interface DeclaredResponse {
  headers: Record<string, unknown>;
  content?: Record<string, object>;
}

interface OpenapiOperation {
  operationId: string;
  responses: Record<string, DeclaredResponse | { $ref: string }>;
}

/** Declared headers that may be missing. A response contains either all headers of a group or none. */
const CONDITIONAL_HEADERS = [
  ['cursor-expires', 'link'],
  ['ratelimit', 'ratelimit-policy'],
  ['export-id', 'export-as-of', 'content-disposition'],
] as const;

const OPTIONAL_HEADERS = [
  'content-encoding',
  'export-as-of-id',
  'export-archived-before',
  'idempotency-replayed',
];

const STATIC_FILES = '/docs/static/';

const TRANSPORT_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
  'cache-control',
  'key-expires',
]);

const resolved = (at: readonly string[], member: unknown): readonly string[] =>
  (member as { $ref?: string }).$ref?.split('/').slice(1) ?? at;

type CheckSchema = (pointer: readonly string[], value: unknown) => void;

const DECLARED_CODES = new Map(
  OPERATIONS.flatMap((operation) =>
    (['public', 'operator'] as const).flatMap((listener) => {
      const id = operation[listener]?.id;
      return id === undefined
        ? []
        : [[`${listener} ${id}`, problemsOf(operation, listener).map(({ code }) => code)] as const];
    }),
  ),
);

export function responseChecker(document: URL): (response: Response) => void {
  const listener = document.pathname.endsWith('operator.json') ? 'operator' : 'public';
  const openapi = JSON.parse(readFileSync(document, 'utf8'));
  const checkSchema = schemaChecker(openapi);
  const problemMembers = Object.keys(openapi.components.schemas.Problem.properties);
  const templates = Object.keys(openapi.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));

  return (response) => {
    const { method, path, status } = response;
    checkCommonHeaders(response);
    const isProblem = status >= 400 && method !== 'HEAD' && !isAnswerToMessage(response);
    if (isProblem) checkProblem(checkSchema, problemMembers, response);

    const template = templates.find(({ pattern }) => pattern.test(path));
    const read = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation: OpenapiOperation | undefined = template && openapi.paths[template.path][read];
    if (template === undefined || operation === undefined) return;

    const listed = String(status) in operation.responses ? String(status) : 'default';
    const at = resolved(['paths', template.path, read, 'responses', listed], operation.responses[listed]);
    const declared: DeclaredResponse | undefined = at.reduce((part, name) => part?.[name], openapi);
    assert.ok(declared, `${method} ${path} answered ${status}, which the document does not declare`);
    checkHeaders(checkSchema, at, response, declared.headers);
    checkBody(checkSchema, at, response, declared);
    if (!isProblem) return;
    const { code } = JSON.parse(response.body);
    const codes = DECLARED_CODES.get(`${listener} ${operation.operationId}`);
    assert.ok(codes?.includes(code), `${method} ${path} does not declare ${code}`);
  };
}

const isAnswerToMessage = ({ path, headers }: Response): boolean =>
  path === '/mcp' && String(headers['content-type']).startsWith('application/json');

/** The document allows undeclared fields, because callers must accept new ones. The tests forbid them. */
function closed<Value>(part: Value): Value {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed) as Value;
  const closedPart = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isObject = 'properties' in part && !('additionalProperties' in part);
  return { ...closedPart, ...(isObject && { additionalProperties: false }) } as Value;
}

function schemaChecker(openapi: object): CheckSchema {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    schemas: [{ ...closed(openapi), $id: 'openapi' }],
  });
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const at = pointer.join(' ');
    let validate = compiled.get(at);
    if (validate === undefined) {
      const $ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
      validate = ajv.compile({ $ref });
      compiled.set(at, validate);
    }
    if (validate(value)) return;
    assert.fail(
      `the response does not match ${at}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`,
    );
  };
}

function checkCommonHeaders({ method, path, headers }: Response): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', `${method} ${path} lacks nosniff`);
  assert.ok(headers['request-id'], `${method} ${path} lacks Request-Id`);
  if (!(path.startsWith(STATIC_FILES) && headers['cache-control'] === 'public, max-age=0')) {
    assert.equal(headers['cache-control'], 'no-store', `${method} ${path} may be cached`);
  }
  for (const [one, ...others] of CONDITIONAL_HEADERS)
    for (const other of others)
      assert.equal(headers[one] === undefined, headers[other] === undefined, `${one} without ${other}`);
}

function checkProblem(
  checkSchema: CheckSchema,
  members: readonly string[],
  { status, headers, body }: Response,
): void {
  assert.match(String(headers['content-type']), /^application\/problem\+json/);
  const problem = JSON.parse(body);
  checkSchema(['components', 'schemas', 'Problem'], problem);
  for (const name of Object.keys(problem)) assert.ok(members.includes(name), `${name} is not described`);
  const kind = kindOf(problem.code);
  assert.deepEqual([problem.status, problem.title], [kind?.status, kind?.title]);
  assert.equal(problem.status, status);
  assert.equal(problem.requestId, headers['request-id']);
  assert.equal(problem.type, `/errors/${problem.code}`);
}

function checkHeaders(
  checkSchema: CheckSchema,
  at: readonly string[],
  { method, path, status, headers, body }: Response,
  declared: Record<string, unknown>,
): void {
  const conditional: string[] = [...CONDITIONAL_HEADERS.flat(), ...OPTIONAL_HEADERS];
  // Waiting does not help an account with too many endpoints, so the response has no Retry-After.
  if (status === 429 && body.includes('"too_many_webhooks"')) {
    assert.equal(headers['retry-after'], undefined);
    conditional.push('retry-after');
  }
  // These refusals do not depend on the key, so they have no WWW-Authenticate.
  if (status === 403 && /"(?:foreign_origin|insecure_transport)"/.test(body))
    conditional.push('www-authenticate');
  const names = Object.keys(declared);
  for (const name of names) {
    const value = headers[name.toLowerCase()];
    if (value === undefined && conditional.includes(name.toLowerCase())) continue;
    assert.ok(value !== undefined, `${method} ${path} ${status} lacks ${name}`);
    checkSchema([...resolved([...at, 'headers', name], declared[name]), 'schema'], value);
  }
  const known = new Set(names.map((name) => name.toLowerCase()));
  for (const name of Object.keys(headers)) {
    assert.ok(
      known.has(name) || TRANSPORT_HEADERS.has(name),
      `${method} ${path} ${status} has ${name}, which the document does not declare`,
    );
  }
}

function checkBody(
  checkSchema: CheckSchema,
  at: readonly string[],
  { method, path, status, headers, body }: Response,
  declared: DeclaredResponse,
): void {
  if (declared.content === undefined) {
    assert.deepEqual(
      [body, headers['content-type']],
      ['', undefined],
      `${method} ${path} ${status} has a body`,
    );
    return;
  }
  const [type = ''] = String(headers['content-type']).split(';');
  assert.ok(declared.content[type], `${method} ${path} ${status} has the type ${type}`);
  if (method === 'HEAD') {
    assert.equal(body, '');
    return;
  }
  const schema = [...at, 'content', type, 'schema'];
  if (headers['content-encoding'] === 'gzip') return;
  if (type === 'text/csv') {
    checkSchema(schema, body);
    return;
  }
  if (type === 'application/x-ndjson') {
    for (const line of body.split('\n').filter((one) => one !== '')) checkSchema(schema, JSON.parse(line));
    return;
  }
  const document = JSON.parse(body);
  checkSchema(schema, document);
  if (declared.headers['Link'] !== undefined) {
    assert.equal(headers['link'] !== undefined, document.nextCursor !== null, 'Link without nextCursor');
  }
}
