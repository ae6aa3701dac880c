import { allItems, pathOfPage } from './collection.ts';
import { requestBody } from './request-body.ts';
import type { RequestOptions, Send } from './send.ts';
import { isWebhookPage, type WebhookEndpoint } from './webhook-endpoint.ts';

export const ENDPOINTS_PATH = '/v1/webhooks';
const PAGE = { what: 'a page of endpoints', is: isWebhookPage };

/** Not a method of `Webhooks`, so that the page in web/ can call this function without that class. */
export const listEndpoints = (send: Send, options: RequestOptions): Promise<WebhookEndpoint[]> =>
  allItems((cursor) => requestBody(send, pathOfPage(ENDPOINTS_PATH, cursor), PAGE, options));
