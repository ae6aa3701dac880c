import type { Change } from './change.ts';
import { isChange } from './change-page.ts';
import { UnexpectedResponseError } from './errors.ts';
import { pathSegment } from './filters.ts';
import { isObject } from './response.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';

/** The changes of one transaction, whose fields are all checked. */
export async function fetchTransactionChanges(
  send: Send,
  reference: string,
  options: RequestOptions,
): Promise<Change[]> {
  checkRequestOptions(options);
  const path = `/v1/transactions/${pathSegment('reference', reference)}/changes`;
  const { body, requestId } = await send(path, options);
  if (isObject(body) && Array.isArray(body['data']) && body['data'].every(isChange)) return body['data'];
  throw new UnexpectedResponseError(
    `The response is not a list of changes (request ${requestId}).`,
    requestId,
  );
}
