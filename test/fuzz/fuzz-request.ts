import openapi from '../../openapi.json' with { type: 'json' };
import operatorOpenapi from '../../openapi-operator.json' with { type: 'json' };
import { fc } from '../rig/run/properties.ts';

export interface FuzzRequest {
  to: 'public' | 'operator';
  method: string;
  url: string;
  headers: Record<string, string>;
  text?: string | Buffer;
}

export interface FuzzEnvironment {
  accountKey: string;
  operatorKey: string;
  cursors: readonly string[];
}

interface Parameter {
  name: string;
  in: string;
  schema: { format?: string; enum?: string[]; examples?: string[] };
}

interface Described {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}

interface Operation {
  to: FuzzRequest['to'];
  method: string;
  path: string;
  parameters: Parameter[];
  body?: { type: string; example: object };
}

const OPERATIONS = (
  [
    ['public', openapi],
    ['operator', operatorOpenapi],
  ] as const
).flatMap(([to, { paths, components }]) => {
  const named = <Kind>(kind: object, ref: string) =>
    (kind as Record<string, Kind>)[ref.split('/').at(-1) ?? ''] as Kind;
  return Object.entries(paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      const schema = content && named<{ examples?: object[] }>(components.schemas, content.schema.$ref);
      return {
        to,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((one) =>
          '$ref' in one ? named<Parameter>(components.parameters, one.$ref) : one,
        ),
        ...(type !== undefined && { body: { type, example: schema?.examples?.[0] ?? {} } }),
      };
    }),
  );
});
const RECORDING = OPERATIONS.filter(({ method }) => method === 'PUT');

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const DATES = ['2026-03-01', '2026-02-28', '2026-02-30', '0000-01-01', '9999-12-31', '10000-01-01'];
const VALUES = new Map([
  ['currency', ['EUR', 'USD', 'DEM', 'usd']],
  ['merchantReference', ['order-1', 'größer', 'x'.repeat(255), 'x'.repeat(256)]],
  ['after', ['0', '7', '24', '25', '26', '9007199254740991']],
]);
const OTHERS = ['true', 'false', '1', '100', '1001', '12.50', 'order-1'];

const ODD = [
  ...['', '%', '%zz', '%00', '%C3%28', '\u0000', '\ud800', '[]', 'null', '1e309', '9007199254740993'],
  ...['../../etc/passwd', '"><script>', '\r\nX-Injected: 1', 'a'.repeat(300), 'a'.repeat(4100)],
];
/** Values of `wait`. 1 to 30 are left out, because the request could take that many seconds. */
const WAITS = ['0', '00', '31', '-1', '1.5', '1s', '30 ', ...ODD];

const odd = fc.oneof(fc.constantFrom(...ODD), fc.string());

const changed = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.nat(1), odd)
    .map(([at, left, put]) => text.slice(0, at) + put + text.slice(at + left));

const mostly = <Usual, Other>(usual: fc.Arbitrary<Usual>, other: fc.Arbitrary<Other>, weight = 9) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

function near(...valid: string[]): fc.Arbitrary<string> {
  const one = fc.constantFrom(...valid);
  return mostly(mostly(one, one.chain(changed), 2), odd);
}

export const fuzzRequests = (environment: FuzzEnvironment): fc.Arbitrary<FuzzRequest> =>
  mostly(fc.constantFrom(...OPERATIONS), fc.constantFrom(...RECORDING)).chain((operation) =>
    fc
      .record({
        method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS)),
        path: pathOf(operation),
        query: queryOf(operation, environment.cursors),
        headers: headersOf(operation, environment),
        text: operation.body === undefined ? fc.constant(undefined) : payloadOf(operation.body),
      })
      .map(({ method, path, query, headers, text }) => ({
        to: operation.to,
        method,
        url: query === '' ? path : `${path}?${query}`,
        headers,
        ...(text !== undefined && { text }),
      })),
  );

function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const parts = path.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return fc.constant(part);
    const [example = ''] = parameters.find(({ name }) => name === part)?.schema.examples ?? [];
    return near(example).map((text) => encodeURIComponent(text.toWellFormed()));
  });
  const whole = fc.tuple(...parts).map((texts) => texts.join(''));
  return mostly(whole, whole.chain(changed), 19);
}

function queryOf({ parameters }: Operation, cursors: readonly string[]): fc.Arbitrary<string> {
  const known = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => {
      const values = schema.enum ?? schema.examples ?? VALUES.get(name) ?? OTHERS;
      const value =
        name === 'wait'
          ? fc.constantFrom(...WAITS)
          : near(...(name === 'cursor' ? cursors : schema.format === 'date' ? DATES : values));
      return fc.tuple(fc.constant(name), value);
    });
  const unknown = fc.tuple(fc.oneof(odd, fc.constantFrom('limit', 'page', 'Status', 'from[$gt]')), odd);
  const one = known.length === 0 ? unknown : mostly(fc.oneof(...known), unknown);
  const written = fc
    .tuple(one, mostly(fc.constant('='), fc.constantFrom('', '==', '%3D')), fc.boolean())
    .map(([[name, value], equals, isRaw]) =>
      [name, equals, isRaw ? value : encodeURIComponent(value.toWellFormed())].join(''),
    );
  const separator = mostly(fc.constant('&'), fc.constantFrom(';', '&&', '?', '#'));
  const some = fc.array(written, { maxLength: 4 });
  return fc
    .tuple(known.length === 0 ? mostly(fc.constant([]), some, 4) : some, separator)
    .map(([all, between]) => all.join(between));
}

function headersOf(
  { to, parameters, body }: Operation,
  { accountKey, operatorKey }: FuzzEnvironment,
): fc.Arbitrary<Record<string, string>> {
  const key = to === 'public' ? accountKey : operatorKey;
  const rarely = (...valid: string[]) => mostly(fc.constant(undefined), near(...valid));
  const fields: Record<string, fc.Arbitrary<string | undefined>> = {
    authorization: mostly(
      fc.constant(`Bearer ${key}`),
      fc.option(near(`bearer  ${key}`, `Basic ${key}`, `Bearer ${key}, ${key}`), { nil: undefined }),
    ),
    'request-id': rarely('a-good.id', 'x'.repeat(65)),
    'x-forwarded-for': rarely('10.0.0.1', '::1, 1.2.3.4'),
    'accept-encoding': rarely('gzip', 'br;q=1'),
    accept: rarely('text/html', 'application/json'),
    'x-long': mostly(
      fc.constant(undefined),
      fc.nat(32_000).map((length) => 'x'.repeat(length)),
      19,
    ),
    ...(parameters.some((one) => one.in === 'header') && {
      'idempotency-key': mostly(near('key', 'x'.repeat(256)), fc.constant(undefined), 4),
    }),
    ...(body && { 'content-type': mostly(fc.constant(body.type), near('text/plain')) }),
  };
  return fc
    .record(fields)
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
    .map((sent) => sent as Record<string, string>);
}

function payloadOf({ type, example }: NonNullable<Operation['body']>): fc.Arbitrary<string | Buffer> {
  const amount = fc.integer({ min: 1, max: 9 }).map((units) => `${units}.00`);
  const reference = fc.integer({ min: 1, max: 9 }).map((number) => `r${number}`);
  const right = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, name === 'amount' ? amount : fc.constant(value)]),
  );
  const isBatch = type !== 'application/json';
  const whole = fc.record(isBatch ? { ...right, reference } : right);
  const altered = fc
    .tuple(whole, fc.constantFrom(...Object.keys(right), 'account', '__proto__'), fc.jsonValue())
    .map(([fields, name, value]) => ({ ...fields, [name]: value }));
  const written = mostly(whole, altered, 1).map((fields) => JSON.stringify(fields));
  const text = fc.oneof(
    { weight: 6, arbitrary: written },
    { weight: 2, arbitrary: written.chain(changed) },
    { weight: 1, arbitrary: fc.oneof(fc.json(), fc.constant('{"a":1,"a":2}')) },
  );
  const body = isBatch ? fc.array(text, { maxLength: 5 }).map((lines) => lines.join('\n')) : text;
  return mostly(body, fc.uint8Array({ maxLength: 200 }).map(Buffer.from), 19);
}
