import type { FastifyInstance } from 'fastify';
import { ERRORS } from '../../../values/interface/errors.ts';
import { PATHS } from '../staff.ts';
import { escaped, htmlHeaders, htmlPage, sendHtml } from './html-page.ts';
import { type Paragraphs, type StaffTexts, textsFor } from './staff-texts.ts';

interface Message {
  title: string;
  paragraphs: readonly string[];
  link: readonly [text: string, path: string];
}

export interface RefusalText extends Message {
  status: 400 | 403 | 502 | 503;
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly textIn: (texts: StaffTexts) => RefusalText;

  constructor(textIn: (texts: StaffTexts) => RefusalText) {
    super('a request of staff is refused');
    this.textIn = textIn;
  }
}

type NamesOf<Type> = {
  [Name in keyof StaffTexts]: StaffTexts[Name] extends Type ? Name : never;
}[keyof StaffTexts];

export const refusalOf = (
  status: RefusalText['status'],
  says: NamesOf<Paragraphs>,
  link: NamesOf<string>,
  path: string,
): Refusal =>
  new Refusal((texts) => {
    const [title, ...paragraphs] = texts[says];
    return { status, title, paragraphs, link: [texts[link], path] };
  });

export const messagePage = (
  { language }: StaffTexts,
  { title, paragraphs, link: [text, path] }: Message,
): string =>
  htmlPage(
    language,
    title,
    `<div class="message"><h1>${escaped(title)}</h1>
${paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')}
<p><a href="${path}">${escaped(text)}</a></p></div>`,
  );

const RETRY_AFTER_SECONDS = 60;

export function answerWithPages(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    // The provider redirects to an address with a code, so no page may send its own address to other sites.
    reply.headers({ 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' });
    done();
  });
  scope.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Refusal)) throw error;
    const texts = textsFor(request);
    const text = error.textIn(texts);
    if (text.status === 503) reply.header('retry-after', String(RETRY_AFTER_SECONDS));
    return sendHtml(reply.code(text.status), messagePage(texts, text));
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const { problem } = request;
    if (problem === null) return payload;
    const texts = textsFor(request);
    const html = messagePage(texts, {
      title: ERRORS[problem.code].title,
      paragraphs: [problem.message, `Request ${request.id}`],
      link: [texts.backToAccounts, PATHS.staff],
    });
    reply.headers(htmlHeaders()).removeHeader('content-length');
    return html;
  });
}
