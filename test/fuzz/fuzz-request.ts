import openapi from '../../openapi.json' with { type: 'json' };
import operatorOpenapi from '../../openapi-operator.json' with { type: 'json' };
import type { Random } from '../rig/run/random.ts';
import { altered, mutated, STRANGE, serialized, variantOf, variantOfDate } from './fuzz-values.ts';

/** A request of any kind, usually invalid. */
export interface FuzzRequest {
  to: 'public' | 'operator';
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

/** Existing keys and cursors, so that some requests are almost valid. */
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
  /** The example of the operation's body. */
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

/** Valid values of query parameters whose schemas have none. */
const VALUES = new Map([
  ['currency', ['EUR', 'USD', 'DEM', 'usd']],
  ['merchantReference', ['order-1', 'größer', 'x'.repeat(255), 'x'.repeat(256)]],
  ['after', ['0', '7', '24', '25', '26', '9007199254740991']],
]);
const OTHERS = ['true', 'false', '1', '100', '1001', '12.50', 'order-1'];
/**
 * None of these is a valid wait of a second or more. Nothing records meanwhile, so such a wait would end
 * late.
 */
const WAITS = ['0', '00', '31', '-1', '1.5', '1s', '30 ', ...STRANGE];

/** One request in ten records, so that some contradict earlier requests. One in twenty has a random path. */
export function fuzzRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  const operation = random.pick(random.chance(0.1) ? RECORDING : OPERATIONS);
  const { to, parameters, body } = operation;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const [example = ''] = parameters.find((one) => one.name === name)?.schema.examples ?? [];
    return encodeURIComponent((random.chance(0.7) ? example : variantOf(random, example)).toWellFormed());
  });
  const query = queryOf(random, parameters, environment.cursors);
  const key = to === 'public' ? environment.accountKey : environment.operatorKey;
  const idempotency = parameters.some((one) => one.in === 'header') && random.chance(0.8);
  return {
    to,
    method: random.chance(0.9) ? operation.method : random.pick(METHODS),
    url:
      (random.chance(0.95) ? path : random.pick([mutated(random, path), `/${random.pick(STRANGE)}`])) + query,
    headers: {
      ...headersOf(random, key),
      ...(idempotency && { 'idempotency-key': variantOf(random, 'key', 'x'.repeat(256)) }),
      ...(body && {
        'content-type': random.chance(0.9) ? body.type : variantOf(random, body.type, 'text/plain'),
      }),
    },
    ...(body && { payload: payloadOf(random, body) }),
  };
}

/** Some parameters are repeated or unknown. */
function queryOf(random: Random, parameters: readonly Parameter[], cursors: readonly string[]): string {
  const known = parameters.filter((one) => one.in === 'query');
  const count = random.integer(0, known.length === 0 ? 1 : 4);
  const written = Array.from({ length: known.length === 0 && random.chance(0.8) ? 0 : count }, () => {
    const { name, schema } =
      known.length > 0 && random.chance(0.85)
        ? random.pick(known)
        : { name: random.pick([...STRANGE, 'limit', 'page', 'Status', 'from[$gt]']), schema: {} };
    const text =
      name === 'wait'
        ? random.pick(WAITS)
        : name === 'cursor'
          ? variantOf(random, ...cursors)
          : schema.format === 'date'
            ? variantOfDate(random)
            : variantOf(random, ...(schema.enum ?? schema.examples ?? VALUES.get(name) ?? OTHERS));
    const value = random.chance(0.7) ? encodeURIComponent(text.toWellFormed()) : text;
    return `${name}${random.chance(0.95) ? '=' : random.pick(['', '==', ':', '%3D'])}${value}`;
  });
  if (random.chance(0.1)) written.push(...written);
  const separator = random.chance(0.95) ? '&' : random.pick([';', '&&', '?', '#']);
  return written.length === 0 ? '' : `?${written.join(separator)}`;
}

function headersOf(random: Random, key: string): Record<string, string> {
  const authorizations = [`Bearer ${key}`, `bearer  ${key}`, `Basic ${key}`, `Bearer ${key}, ${key}`];
  const some: Record<string, string> = {};
  if (random.chance(0.9)) some['authorization'] = `Bearer ${key}`;
  else if (random.chance(0.8)) some['authorization'] = variantOf(random, ...authorizations);
  if (random.chance(0.1)) some['request-id'] = variantOf(random, 'a-good.id', 'x'.repeat(65));
  if (random.chance(0.1)) some['x-forwarded-for'] = variantOf(random, '10.0.0.1', '::1, 1.2.3.4');
  if (random.chance(0.1)) some['accept-encoding'] = variantOf(random, 'gzip', 'br;q=1');
  if (random.chance(0.1)) some['accept'] = variantOf(random, 'text/html', 'application/json');
  if (random.chance(0.05)) some['if-none-match'] = variantOf(random, '"x"', '*');
  if (random.chance(0.05)) some['range'] = variantOf(random, 'bytes=0-1');
  // Half of these make the head of the request too long.
  if (random.chance(0.05)) some['x-long'] = 'x'.repeat(random.integer(0, 32_000));
  return some;
}

function payloadOf(random: Random, { type, example }: NonNullable<Operation['body']>): string | Buffer {
  const given = () => ({ ...example, ...('amount' in example && { amount: `${random.integer(1, 9)}.00` }) });
  if (type === 'application/json') return serialized(random, altered(random, given()));
  const lines = Array.from({ length: random.integer(0, 5) }, () =>
    serialized(random, { ...altered(random, given()), reference: `r${random.integer(1, 9)}` }),
  );
  return Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
}
