import { readFileSync } from 'node:fs';
import {
  type BuiltDocuments,
  DOCUMENTS_ICON,
  SEARCH_INDEX,
  STATUSES,
} from '../../src/http/documents/document-routes.ts';
import { allProblems, problemsOf } from '../../src/http/operations/operation-problems.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import type { DescribedDocument } from './described.ts';
import { STYLE_HASH } from './document-page.ts';
import { errorAddress, errorPages, REASONS, reasonText } from './error-pages.ts';
import { guideTexts, type SearchEntry, searchEntries } from './guide-pages.ts';
import { readGuides } from './guides.ts';
import { documentOf } from './interfaces.ts';
import { inlineText } from './operation-page.ts';
import { referencePages } from './reference.ts';

const ICON = new URL('../../web/icon.svg', import.meta.url);

export function buildDocuments(listener: Listener): string {
  const kinds = allProblems(OPERATIONS);
  const statuses = new Set([STATUSES]);
  const guides = readGuides(listener);
  const reference = referencePages({
    listener,
    document: documentOf(listener, 'people', statuses) as DescribedDocument,
    kinds,
    problemsOf: (id) =>
      OPERATIONS.filter((one) => one[listener]?.id === id).flatMap((one) => problemsOf(one, listener)),
  });
  const found: SearchEntry[] = [
    ...searchEntries(guides),
    ...reference.map(({ address, title, text }) => ({ address, page: 'Reference', heading: title, text })),
    ...kinds.map((kind) => ({
      address: errorAddress(kind),
      page: 'Errors',
      heading: `${kind.code}: ${kind.title}`,
      text: `HTTP ${kind.status}. ${kind.cause} ${kind.solution}`,
    })),
    ...REASONS.map((reason) => ({
      address: errorAddress({ code: reason }),
      page: 'Errors',
      heading: `${reason}: a reason of 503`,
      text: inlineText(reasonText(listener, reason)),
    })),
  ];
  const built: BuiltDocuments = {
    styleHash: STYLE_HASH,
    texts: {
      ...guideTexts(listener, guides),
      ...Object.fromEntries(reference.map(({ address, html }) => [address, html])),
      ...errorPages(listener, kinds),
      '/openapi.json': JSON.stringify(documentOf(listener, 'programs', statuses)),
      [SEARCH_INDEX]: JSON.stringify(found),
    },
    files: { ...guides.files, [DOCUMENTS_ICON]: readFileSync(ICON).toString('base64') },
  };
  return JSON.stringify(built);
}
