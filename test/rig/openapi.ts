import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Answer {
  method: string;
  path: string;
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

interface Operation {
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
}

/** Headers that a declared answer may lack: each stands beside what the check below names. */
const CONDITIONAL_HEADERS = new Set(['cursor-expires', 'link', 'ratelimit', 'ratelimit-policy']);

/** Checks answers against a committed OpenAPI document: status, headers, content type and body. */
export function answerChecker(document: URL): (answer: Answer) => void {
  const openapi = JSON.parse(readFileSync(document, 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true, schemas: [{ ...openapi, $id: 'openapi' }] });
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const templates = Object.keys(openapi.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));

  const checkSchema = (pointer: readonly string[], value: unknown) => {
    const $ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    let validate = compiled.get($ref);
    if (validate === undefined) {
      validate = ajv.compile({ $ref });
      compiled.set($ref, validate);
    }
    assert.ok(
      validate(value),
      `the answer is not as ${$ref} says: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`,
    );
  };

  const checkProblem = ({ status, headers, body }: Answer) => {
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    const problem = JSON.parse(body);
    checkSchema(['components', 'schemas', 'Problem'], problem);
    assert.equal(problem.status, status);
    assert.equal(problem.requestId, headers['request-id']);
    assert.equal(problem.type, `/errors/${problem.code}`);
  };

  return (answer) => {
    const { method, path, status, headers, body } = answer;
    assert.equal(headers['x-content-type-options'], 'nosniff', `${method} ${path} lacks nosniff`);
    assert.ok(headers['request-id'], `${method} ${path} lacks Request-Id`);
    assert.ok(headers['cache-control'], `${method} ${path} lacks Cache-Control`);
    if (status >= 400 && method !== 'HEAD') checkProblem(answer);

    const template = templates.find(({ pattern }) => pattern.test(path));
    const read = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation: Operation | undefined = template && openapi.paths[template.path][read];
    if (template === undefined || operation === undefined) return;

    const declared = operation.responses[status];
    assert.ok(declared, `${method} ${path} answered ${status}, which the document does not declare`);
    assert.equal(headers['cache-control'], 'no-store');
    for (const name of Object.keys(declared.headers ?? {})) {
      if (CONDITIONAL_HEADERS.has(name.toLowerCase())) continue;
      assert.ok(headers[name.toLowerCase()] !== undefined, `${method} ${path} ${status} lacks ${name}`);
    }
    if (method === 'HEAD') {
      assert.equal(body, '');
      return;
    }
    const [type = ''] = String(headers['content-type']).split(';');
    if (declared.content === undefined) return;
    assert.ok(declared.content[type], `${method} ${path} ${status} has the type ${type}`);
    if (!type.endsWith('json')) return;
    const at = ['paths', template.path, read, 'responses', String(status), 'content', type, 'schema'];
    checkSchema(at, JSON.parse(body));
  };
}
