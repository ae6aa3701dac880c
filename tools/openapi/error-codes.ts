import type { ListTransactionsErrors, RetrieveTransactionErrors } from './generated/hey-api/types.gen.ts';
import type { RecordTransactionErrors } from './generated/hey-api-operator/types.gen.ts';
import type { operations as operatorOperations } from './generated/operator.ts';
import type { operations } from './generated/public.ts';
import type { Api } from './generated/swagger.ts';
import type { Api as OperatorApi } from './generated/swagger-operator.ts';

/*
 * Code of callers that switch on the error codes of an operation, with the clients of three generators. It is compiled and never run: if a
 * response gets another code, or loses one, the switches do not compile.
 */

/** Of openapi-typescript: the code of a response. */
type CodeOf<
  Operation extends { responses: object },
  Status extends keyof Operation['responses'],
> = Operation['responses'][Status] extends { content: { 'application/problem+json': { code: infer Code } } }
  ? Code
  : never;

/** Of swagger-typescript-api: the codes of all responses of an operation. */
type AllCodesOf<Method extends (...values: never[]) => Promise<{ error: { code: string } }>> = Awaited<
  ReturnType<Method>
>['error']['code'];

const never = (code: never): never => {
  throw new Error(`unknown code ${String(code)}`);
};

type Authentication = CodeOf<operations['listTransactions'], 401>;
type OfRetrieving = AllCodesOf<Api<unknown>['v1']['retrieveTransaction']>;

/** Every generator gives a response the same codes. */
export const SAME: [
  Same<CodeOf<operations['listTransactions'], 400>, ListTransactionsErrors[400]['code']>,
  Same<CodeOf<operations['retrieveTransaction'], 404>, RetrieveTransactionErrors[404]['code']>,
  Same<CodeOf<operatorOperations['recordTransaction'], 409>, RecordTransactionErrors[409]['code']>,
  Same<OfRetrieving, RetrieveTransactionErrors[keyof RetrieveTransactionErrors]['code']>,
  Same<
    AllCodesOf<OperatorApi<unknown>['v1']['recordTransaction']>,
    RecordTransactionErrors[keyof RecordTransactionErrors]['code']
  >,
] = [true, true, true, true, true];

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** With openapi-typescript. */
export function adviceOf401(code: Authentication): string {
  switch (code) {
    case 'missing_api_key':
      return 'send the key';
    case 'invalid_api_key':
      return 'ask for another key';
    default:
      return never(code);
  }
}

/** With @hey-api/openapi-ts. */
export function adviceOf400(code: ListTransactionsErrors[400]['code']): string {
  switch (code) {
    case 'invalid_status':
    case 'invalid_currency':
    case 'invalid_date':
    case 'invalid_merchant_reference':
    case 'date_range_inverted':
    case 'date_range_too_long':
    case 'unknown_parameter':
    case 'duplicate_parameter':
    case 'invalid_request':
      return 'mend the request';
    case 'cursor_malformed':
    case 'cursor_filter_mismatch':
      return 'begin again';
    case 'cursor_expired':
      return 'continue with resume';
    default:
      return never(code);
  }
}

/** With swagger-typescript-api. */
export function isWorthRetrying(code: OfRetrieving): boolean {
  switch (code) {
    case 'unavailable':
    case 'rate_limited':
    case 'request_timeout':
    case 'internal_error':
      return true;
    case 'invalid_request':
    case 'unknown_parameter':
    case 'missing_api_key':
    case 'invalid_api_key':
    case 'insufficient_scope':
    case 'not_found':
    case 'payload_too_large':
    case 'uri_too_long':
    case 'headers_too_large':
      return false;
    default:
      return never(code);
  }
}

/** Comparisons that must not compile. */
export function refused(
  code: CodeOf<operations['retrieveTransaction'], 404>,
  other: RecordTransactionErrors[409]['code'],
  any: OfRetrieving,
): boolean[] {
  return [
    // @ts-expect-error: a cursor has nothing to do with a 404
    code === 'cursor_expired',
    // @ts-expect-error: nor with a conflict
    other === 'cursor_expired',
    // @ts-expect-error: and one transaction has no cursor
    any === 'cursor_expired',
  ];
}
