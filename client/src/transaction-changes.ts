import type { Change } from './change.ts';
import { isChange } from './change-page.ts';
import { allItems, isPageOf, pathOfPage } from './collection.ts';
import { UnexpectedResponseError } from './errors.ts';
import { pathSegment } from './filters.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';

const isChangesPage = isPageOf(isChange);

/** The changes of one transaction, whose fields are all checked. */
export async function fetchTransactionChanges(
  send: Send,
  reference: string,
  options: RequestOptions,
): Promise<Change[]> {
  checkRequestOptions(options);
  const path = `/v1/transactions/${pathSegment('reference', reference)}/changes`;
  return allItems(async (cursor) => {
    const { body, requestId } = await send(pathOfPage(path, cursor), options);
    if (isChangesPage(body)) return body;
    throw new UnexpectedResponseError(
      `The response is not a page of changes (request ${requestId}).`,
      requestId,
    );
  });
}
