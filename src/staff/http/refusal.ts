import type { FastifyInstance } from 'fastify';
import { escaped, htmlHeaders, htmlPage, sendHtml } from '../../http/reference/html-page.ts';
import { PATHS } from '../paths.ts';

/** What a page says to somebody who has to do something else. */
interface Message {
  title: string;
  paragraphs: readonly string[];
  link: readonly [text: string, path: string];
}

export interface RefusalText extends Message {
  status: 400 | 403 | 502 | 503;
}

/** A request that is refused with a page for people. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly text: RefusalText;

  constructor(text: RefusalText) {
    super(text.title);
    this.text = text;
  }
}

/** A page of a title, paragraphs and a link. */
export const messagePage = ({ title, paragraphs, link: [text, path] }: Message): string =>
  htmlPage(
    title,
    `<h1>${escaped(title)}</h1>
${paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')}
<p><a href="${path}">${escaped(text)}</a></p>`,
  );

const RETRY_AFTER_SECONDS = 60;

/** Answers every error of a scope with a page, as the service answers it elsewhere with a problem document. */
export function answerWithPages(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    // The address that the provider leads back to has a code.
    reply.headers({ 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' });
    done();
  });
  scope.setErrorHandler((error, _request, reply) => {
    // The error handler of the server answers it.
    if (!(error instanceof Refusal)) throw error;
    if (error.text.status === 503) reply.header('retry-after', String(RETRY_AFTER_SECONDS));
    return sendHtml(reply.code(error.text.status), messagePage(error.text));
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const { problem } = request;
    if (problem === null) return payload;
    const html = messagePage({
      title: problem.kind.title,
      paragraphs: [problem.message, `Request ${request.id}`],
      link: ['Back to the accounts', PATHS.staff],
    });
    reply.headers(htmlHeaders()).removeHeader('content-length');
    return html;
  });
}
