import type { Defect } from './defect.ts';

/** Faults of methods and of headers. */
export const RESPONSE_DEFECTS: Defect[] = [
  {
    name: 'cached-by-proxies',
    broken: 'Responses may be cached.',
    check: 'headers.no-store',
    file: 'server.ts',
    edits: [["'no-store');", "'public, max-age=60');"]],
  },
  {
    name: 'errors-cached',
    broken: 'Errors have no Cache-Control.',
    check: 'headers.no-store',
    file: 'server.ts',
    edits: [
      [
        "const headers = { ...problem.headers, 'Content-Type'",
        "response.removeHeader('Cache-Control');\n    const headers = { ...problem.headers, 'Content-Type'",
      ],
    ],
  },
  {
    name: 'content-type-html',
    broken: 'A page has the content type text/html.',
    check: 'list.envelope.json',
    file: 'server.ts',
    edits: [["'Content-Type': 'application/json', ...length", "'Content-Type': 'text/html', ...length"]],
  },
  {
    name: 'problem-as-json',
    broken: 'A problem document has the content type application/json.',
    check: 'problem.content-type',
    file: 'server.ts',
    edits: [["'Content-Type': 'application/problem+json' };", "'Content-Type': 'application/json' };"]],
  },
  {
    name: 'request-id-missing',
    broken: 'There is no Request-Id.',
    check: 'headers.request-id',
    file: 'server.ts',
    edits: [["response.setHeader('Request-Id', requestId);", '']],
  },
  {
    name: 'request-id-of-errors-missing',
    broken: 'Errors have no Request-Id.',
    check: 'headers.request-id',
    file: 'server.ts',
    edits: [
      [
        "const headers = { ...problem.headers, 'Content-Type'",
        "response.removeHeader('Request-Id');\n    const headers = { ...problem.headers, 'Content-Type'",
      ],
    ],
  },
  {
    name: 'request-id-constant',
    broken: 'All requests have the same Request-Id.',
    check: 'headers.request-id.unique',
    file: 'server.ts',
    edits: [
      [
        '  const requestId = randomUUID();\n  response',
        "  const requestId = '00000000-0000-4000-8000-000000000000';\n  response",
      ],
    ],
  },
  {
    name: 'request-id-differs',
    broken: 'The requestId of an error differs from the Request-Id.',
    check: 'problem.request-id',
    file: 'server.ts',
    edits: [['problem.toDocument(requestId), headers', 'problem.toDocument(randomUUID()), headers']],
  },
  {
    name: 'problem-status-differs',
    broken: 'The member status differs from the status.',
    check: 'problem.status',
    file: 'server.ts',
    edits: [
      [
        'problem.toDocument(requestId), headers',
        '{ ...problem.toDocument(requestId), status: 500 }, headers',
      ],
    ],
  },
  {
    name: 'errors-as-200',
    broken: 'Errors have the status 200.',
    check: 'fault.each',
    file: 'server.ts',
    edits: [['send(response, problem.status, problem', 'send(response, 200, problem']],
  },
  {
    name: 'errors-as-text',
    broken: 'Errors are plain text.',
    check: 'problem.fields',
    file: 'server.ts',
    edits: [
      [
        'send(response, problem.status, problem.toDocument(requestId), headers);',
        "response.writeHead(problem.status, { ...problem.headers, 'Content-Type': 'text/plain' }).end(problem.message);",
      ],
    ],
  },
  {
    name: 'json-with-a-prefix',
    broken: 'A page is preceded by a byte order mark.',
    check: 'list.envelope.json',
    file: 'server.ts',
    edits: [['JSON.stringify(body);\n  const length', "'\\ufeff' + JSON.stringify(body);\n  const length"]],
  },
  {
    name: 'head-with-body',
    broken: 'HEAD is answered with a body.',
    check: 'method.head.no-body',
    file: 'server.ts',
    edits: [
      [
        '  response.end(text);',
        "  if (response.req.method === 'HEAD') {\n    response.flushHeaders();\n    response.socket?.write(text);\n  }\n  response.end(text);",
      ],
    ],
  },
  {
    name: 'head-without-headers',
    broken: 'HEAD has none of the headers Link and Cursor-Expires.',
    check: 'method.head',
    file: 'server.ts',
    edits: [
      [
        '  response.writeHead(status,',
        "  if (response.req.method === 'HEAD') headers = {};\n  response.writeHead(status,",
      ],
    ],
  },
  {
    name: 'head-always-200',
    broken: 'HEAD of a faulty query is 200.',
    check: 'method.head',
    file: 'server.ts',
    edits: [
      [
        '  response.writeHead(status,',
        "  if (response.req.method === 'HEAD' && status === 400) status = 200;\n  response.writeHead(status,",
      ],
    ],
  },
  {
    name: 'unknown-path-empty',
    broken: 'An unknown path gives an empty object.',
    check: 'path.not-found',
    file: 'server.ts',
    edits: [
      [
        '  const { route, parameters } = findRoute',
        "  if (url.startsWith('/v1/') && !/^.v1.(transactions|changes|totals|exports|accounts|webhooks)/.test(url)) return { status: 200, body: {} };\n  const { route, parameters } = findRoute",
      ],
    ],
  },
  {
    name: 'unknown-path-html',
    broken: 'An unknown path is answered with the HTML page of a framework.',
    check: 'problem.framework',
    file: 'server.ts',
    edits: [
      [
        "const headers = { ...problem.headers, 'Content-Type'",
        "if (problem.code === 'not_found') return void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');\n    const headers = { ...problem.headers, 'Content-Type'",
      ],
    ],
  },
  {
    name: 'long-url-crashes',
    broken: 'A long URL is answered with 500.',
    check: 'problem.too-large',
    file: 'server.ts',
    edits: [["throw new Problem('uri_too_long'", "throw new Problem('internal_error'"]],
  },
  {
    name: 'large-header-without-document',
    broken: 'A header that is too large is refused without a problem document.',
    check: 'problem.too-large',
    file: 'server.ts',
    edits: [["  server.on('clientError', refuseBytes);\n", '']],
  },
  {
    name: 'rate-limit-without-retry',
    broken: '429 has no Retry-After.',
    check: 'headers.rate-limited',
    beside: ['pages.repeatable'],
    file: 'rate-limit.ts',
    edits: [
      ['if (count <= requestsPerSecond) return headers;', 'if (count % 5 !== 0) return {};'],
      ['if (secondMs !== this.#secondMs) this.#counts.clear();', ''],
      ["detail, {}, { ...headers, 'Retry-After': '1' }", 'detail'],
    ],
  },
  {
    name: 'unavailable-without-retry',
    broken: '503 has no Retry-After.',
    check: 'headers.unavailable',
    beside: ['pages.repeatable'],
    file: 'server.ts',
    edits: [
      [
        '  const { route, parameters } = findRoute',
        "  if (requests++ % 9 === 8) throw new Problem('unavailable', 'The database does not answer');\n  const { route, parameters } = findRoute",
      ],
      ['const MAX_URL_CHARACTERS', 'let requests = 0;\nconst MAX_URL_CHARACTERS'],
    ],
  },
  {
    name: 'any-method-lists',
    broken: 'Methods that the server does not know list as GET does.',
    check: 'method.safe',
    file: 'routes.ts',
    edits: [
      [
        "const wanted = method === 'HEAD' ?",
        "const wanted = !['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ?",
      ],
    ],
  },
  {
    name: 'rate-limit-of-an-older-draft',
    broken: 'RateLimit has the form of an older draft.',
    check: 'headers.rate-limit',
    file: 'rate-limit.ts',
    edits: [
      ['`"key";r=${Math.max(0, requestsPerSecond - count)};t=1`', "'limit=100000, remaining=99999, reset=1'"],
    ],
  },
  {
    name: 'short-targets-alone',
    broken: 'A request target of 4,096 characters is too long.',
    check: 'problem.too-large',
    file: 'server.ts',
    edits: [['MAX_URL_CHARACTERS = 8192', 'MAX_URL_CHARACTERS = 2048']],
  },
];
