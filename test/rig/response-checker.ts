import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PROBLEMS, type ProblemCode } from '../../src/http/problems/problems.ts';

interface Answer {
  method: string;
  path: string;
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

interface Operation {
  responses: Record<
    string,
    { headers: Record<string, unknown>; content: Record<string, { examples?: Record<string, unknown> }> }
  >;
}

/** Declared headers that stand in some answers only, each pair together. */
const CONDITIONAL_HEADERS = [
  ['cursor-expires', 'link'],
  ['ratelimit', 'ratelimit-policy'],
] as const;

/** The files of the reference, which hold no data and are asked for anew by their ETag. */
const STATIC_FILES = '/docs/static/';

/** Headers of every HTTP answer, which no route declares. */
const TRANSPORT_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
]);

/** Checks answers against a committed OpenAPI document: status, headers, content type and body. */
export function responseChecker(document: URL): (answer: Answer) => void {
  const openapi = JSON.parse(readFileSync(document, 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true, schemas: [{ ...openapi, $id: 'openapi' }] });
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const templates = Object.keys(openapi.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));

  const checkSchema = (pointer: readonly string[], value: unknown) => {
    const at = pointer.join(' ');
    let validate = compiled.get(at);
    if (validate === undefined) {
      const $ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
      validate = ajv.compile({ $ref });
      compiled.set(at, validate);
    }
    if (validate(value)) return;
    assert.fail(
      `the answer is not as ${at} says: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`,
    );
  };

  const checkProblem = ({ status, headers, body }: Answer) => {
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    const problem = JSON.parse(body);
    checkSchema(['components', 'schemas', 'Problem'], problem);
    const described = Object.keys(openapi.components.schemas.Problem.properties);
    for (const name of Object.keys(problem)) assert.ok(described.includes(name), `${name} is not described`);
    const kind = PROBLEMS[problem.code as ProblemCode];
    assert.deepEqual([problem.status, problem.title], [kind.status, kind.title]);
    assert.equal(problem.status, status);
    assert.equal(problem.requestId, headers['request-id']);
    assert.equal(problem.type, `/errors/${problem.code}`);
  };

  /** Each declared header is there and as declared, and there is none that is not declared. */
  const checkHeaders = (
    at: readonly string[],
    { method, path, status, headers }: Answer,
    declared: Record<string, unknown>,
  ) => {
    const conditional: readonly string[] = CONDITIONAL_HEADERS.flat();
    const names = Object.keys(declared);
    for (const name of names) {
      const value = headers[name.toLowerCase()];
      if (value === undefined && conditional.includes(name.toLowerCase())) continue;
      assert.ok(value !== undefined, `${method} ${path} ${status} lacks ${name}`);
      checkSchema([...at, 'headers', name, 'schema'], value);
    }
    const known = new Set(names.map((name) => name.toLowerCase()));
    for (const name of Object.keys(headers)) {
      assert.ok(
        known.has(name) || TRANSPORT_HEADERS.has(name),
        `${method} ${path} ${status} has ${name}, which the document does not declare`,
      );
    }
  };

  return (answer) => {
    const { method, path, status, headers, body } = answer;
    assert.equal(headers['x-content-type-options'], 'nosniff', `${method} ${path} lacks nosniff`);
    assert.ok(headers['request-id'], `${method} ${path} lacks Request-Id`);
    if (!(path.startsWith(STATIC_FILES) && headers['cache-control'] === 'public, max-age=0')) {
      assert.equal(headers['cache-control'], 'no-store', `${method} ${path} may be kept by a cache`);
    }
    for (const [one, other] of CONDITIONAL_HEADERS) {
      assert.equal(headers[one] === undefined, headers[other] === undefined, `${one} without ${other}`);
    }
    if (status >= 400 && method !== 'HEAD') checkProblem(answer);

    const template = templates.find(({ pattern }) => pattern.test(path));
    const read = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation: Operation | undefined = template && openapi.paths[template.path][read];
    if (template === undefined || operation === undefined) return;

    const declared = operation.responses[status];
    assert.ok(declared, `${method} ${path} answered ${status}, which the document does not declare`);
    const at = ['paths', template.path, read, 'responses', String(status)];
    checkHeaders(at, answer, declared.headers);
    const [type = ''] = String(headers['content-type']).split(';');
    assert.ok(declared.content[type], `${method} ${path} ${status} has the type ${type}`);
    if (method === 'HEAD') {
      assert.equal(body, '');
      return;
    }
    if (type === 'application/x-ndjson') {
      for (const line of body.split('\n').filter((one) => one !== ''))
        checkSchema([...at, 'content', type, 'schema'], JSON.parse(line));
      return;
    }
    const document = JSON.parse(body);
    checkSchema([...at, 'content', type, 'schema'], document);
    if (status >= 400) {
      const codes = Object.keys(declared.content[type].examples ?? {});
      assert.ok(codes.includes(document.code), `${method} ${path} does not declare ${document.code}`);
    }
    if (declared.headers['Link'] !== undefined) {
      assert.equal(headers['link'] !== undefined, document.nextCursor !== null, 'Link without nextCursor');
    }
  };
}
