import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify';
import { isKeyId } from '../keys/api-key.ts';
import { EXPORT_ID_FORM, isExportId } from '../ledger/exports/export-id.ts';
import { COMPLETED_EXAMPLE } from '../ledger/http/transaction-examples.ts';
import { explainIdentifier, isIdentifier } from '../ledger/transaction.ts';
import { FaultList } from '../values/fault-list.ts';
import { isSequenceText } from '../values/whole-number.ts';
import { isWebhookId, WEBHOOK_ID_FORM } from '../webhooks/new-webhook.ts';
import { type BodyFault, bodyFault } from './problems/body-fault.ts';
import { faultyFields, Problem } from './problems/problem.ts';
import { PROBLEMS } from './problems/problems.ts';
import { type Schema, Type } from './schemas/type.ts';

interface PathRule {
  schema: Schema<string>;
  isValid: (value: string) => boolean;
  /**
   * Why a value is not valid, and what to send instead: the detail of a 422 of a request that records under the value. Absent if only
   * the service makes the values: every request with another one gets 404.
   */
  explain?: (value: string) => string;
  /** The detail of a 404, for a value that is valid or not. */
  absent: string;
}

const identifier = { isValid: isIdentifier, explain: explainIdentifier };

/** The rule of each parameter in the path of a route. Values are checked here only, for all routes. */
export const PATH_RULES = {
  account: {
    ...identifier,
    schema: Type.String({
      description: '1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", but not "." or "..".',
      examples: ['store-1'],
    }),
    absent: 'No account has this name. A name is 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-".',
  },
  reference: {
    ...identifier,
    schema: Type.String({
      description: 'Unique in the account. Compared exactly, upper and lower case included.',
      examples: [COMPLETED_EXAMPLE.reference],
    }),
    absent: 'No transaction of this account has this reference.',
  },
  id: {
    schema: Type.String({ description: 'As the list of keys shows it.', examples: ['key_0123456789abcdef'] }),
    isValid: isKeyId,
    absent: 'The account has no key with this id.',
  },
  exportId: {
    schema: Type.String({
      description: 'As the header Export-Id has it.',
      pattern: EXPORT_ID_FORM,
      examples: ['exp_0123456789abcdef'],
    }),
    isValid: isExportId,
    absent: 'The account has no export with this id, or it began more than 24 hours ago.',
  },
  webhookId: {
    schema: Type.String({
      description: 'As the list of endpoints shows it.',
      pattern: WEBHOOK_ID_FORM,
      examples: ['we_0123456789abcdef'],
    }),
    isValid: isWebhookId,
    absent: 'The account has no endpoint with this id.',
  },
  sequence: {
    schema: Type.String({
      description: 'The sequence number of a change, as the list of failures shows it.',
      examples: ['7'],
    }),
    isValid: isSequenceText,
    absent: 'The account has no endpoint with this id that has a failure with this sequence number.',
  },
  code: {
    schema: Type.String({ description: 'The code of an error.' }),
    isValid: (value) => Object.hasOwn(PROBLEMS, value),
    absent: 'No error has this code. All codes are at /errors.',
  },
} as const satisfies Record<string, PathRule>;

type PathParameter = keyof typeof PATH_RULES;

const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Refuses requests whose path has a parameter that is not valid, after the key was checked and before the handler runs. No resource can
 * have such a path: a request to read or delete it gets 404, and one to record under a value that the caller chooses 422.
 */
export function checkPathParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const names = [...route.url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    for (const name of names) {
      if (!isPathParameter(name))
        throw new Error(`the parameter ${name} of ${route.url} has no rule in PATH_RULES`);
    }
    if (names.length > 0) route.preValidation = checkParameters;
  });
}

const checkParameters: preValidationHookHandler = (request, _reply, done) => {
  const [first, ...more] = invalidParameters(request);
  if (first === undefined) return done();
  if (METHODS_WITHOUT_BODY.has(request.method)) throw notFound(first.name, first.value);
  const faults = new FaultList<BodyFault>();
  for (const { name, value } of [first, ...more]) {
    const { explain }: PathRule = PATH_RULES[name];
    if (explain === undefined) throw notFound(name, value);
    faults.add(bodyFault({ field: name, code: 'invalid_value', detail: explain(value) }));
  }
  throw faultyFields(faults);
};

/** The schema of the parameters in a route's path. */
export function pathSchema(...names: PathParameter[]): Schema {
  return Type.Object(Object.fromEntries(names.map((name) => [name, PATH_RULES[name].schema])));
}

/** The problem of a path parameter whose value does not exist. */
export function notFound(name: PathParameter, value?: string): Problem {
  const detail =
    value === ''
      ? 'The path ends in a slash, or has two slashes in a row: remove one.'
      : PATH_RULES[name].absent;
  return new Problem('not_found', detail);
}

/** The value of a path parameter, or undefined if the path does not have it or it is not valid. */
export function validPathParameter(request: FastifyRequest, name: PathParameter): string | undefined {
  const value = (request.params as Record<string, string> | undefined)?.[name];
  return value !== undefined && PATH_RULES[name].isValid(value) ? value : undefined;
}

function invalidParameters(request: FastifyRequest): { name: PathParameter; value: string }[] {
  return Object.entries(request.params as Record<string, string>).flatMap(([name, value]) =>
    isPathParameter(name) && !PATH_RULES[name].isValid(value) ? [{ name, value }] : [],
  );
}

function isPathParameter(name: string): name is PathParameter {
  return Object.hasOwn(PATH_RULES, name);
}
