import type { DescribedDocument, DescribedParameter, PlacedOperation } from './described.ts';
import { exampleOfSchema, resolved } from './described.ts';

const QUERIES: Readonly<Record<string, string>> = {
  '/v1/transactions': '?status=completed',
  '/v1/search': '?amount=13.50',
  '/v1/changes': '?limit=2',
  '/v1/transactions.csv': '?currency=USD',
  '/v1/transactions.ndjson': '?currency=USD',
};

/** The served page replaces these addresses with the reader's own addresses. */
const ORIGINS = { public: 'http://127.0.0.1:3000', operator: 'http://127.0.0.1:3001' } as const;

export function requestExamples(
  document: DescribedDocument,
  operation: PlacedOperation,
  listener: keyof typeof ORIGINS,
): { label: string; text: string }[] {
  const { method, path, security, requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolved<DescribedParameter>(document, one));
  const sampleOf = ({ schema }: DescribedParameter) => String(exampleOfSchema(document, schema) ?? '');
  const required = parameters.filter((one) => one.required && one.in === 'query');
  const query = required.map((one) => `${one.name}=${encodeURIComponent(sampleOf(one))}`).join('&');
  const placed = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter === undefined ? name : sampleOf(parameter);
  });
  const known = QUERIES[path.replace('/accounts/{account}', '')] ?? '';
  const url = `${ORIGINS[listener]}${placed}${query === '' ? known : `?${query}`}`;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body = content && JSON.stringify(exampleOfSchema(document, content.schema) ?? {});
  const others = parameters
    .filter((one) => one.required && one.in === 'header')
    .map((one) => [one.name, sampleOf(one)] as const);
  const headers = type === undefined ? others : [...others, ['Content-Type', type] as const];
  const request = { method, url, hasKey: security.length > 0, headers, body };
  return [
    { label: 'curl', text: curl(request) },
    { label: 'JavaScript', text: javaScript(request) },
    { label: 'Python', text: python(request) },
  ];
}

interface ExampleRequest {
  method: string;
  url: string;
  hasKey: boolean;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, url, hasKey, headers, body }: ExampleRequest): string {
  const parts = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...(hasKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    quoted(url),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}

function javaScript({ method, url, hasKey, headers, body }: ExampleRequest): string {
  const fields = [
    ...(hasKey ? ["Authorization: 'Bearer ' + process.env.KEY"] : []),
    ...headers.map(([name, value]) => `'${name}': '${value}'`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(fields.length === 0 ? [] : [`headers: { ${fields.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${body})`]),
  ];
  const second = options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`;
  return `const response = await fetch('${url}'${second});\nconsole.log(response.status, await response.text());`;
}

function python({ method, url, hasKey, headers, body }: ExampleRequest): string {
  const fields = [
    ...(hasKey ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    ...headers.map(([name, value]) => `"${name}": "${value}"`),
  ];
  const options = [
    `"${url}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(fields.length === 0 ? [] : [`headers={${fields.join(', ')}}`]),
    ...(body === undefined ? [] : [`data=${JSON.stringify(body)}.encode()`]),
  ];
  return `import os, urllib.request

request = urllib.request.Request(
    ${options.join(',\n    ')},
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
}
