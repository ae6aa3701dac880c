import type { ProblemKind } from '../../src/http/problems/problem-kind.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { escaped } from '../../src/staff/http/html-page.ts';
import { type DescribedDocument, operationAddress, operationsOf, type PlacedOperation } from './described.ts';
import { documentPage, type PageGroup } from './document-page.ts';
import { inlineHtml, inlineText, operationBody } from './operation-page.ts';

interface ReferenceOptions {
  listener: Listener;
  document: DescribedDocument;
  kinds: readonly ProblemKind[];
  problemsOf: (operationId: string) => readonly ProblemKind[];
}

interface ReferencePage {
  address: string;
  title: string;
  html: string;
  text: string;
}

export function referencePages({ listener, document, kinds, problemsOf }: ReferenceOptions): ReferencePage[] {
  const operations = operationsOf(document);
  const pages: PageGroup[] = document.tags.map(({ name, description }) => ({
    title: description,
    links: operations
      .filter(({ tags }) => tags.includes(name))
      .map((operation) => ({ address: operationAddress(operation), label: operation.summary })),
  }));
  const page = (address: string, title: string, body: string) =>
    documentPage({ listener, address, title, body, pages });
  const ofOperations = operations.map((operation) => {
    const described = {
      listener,
      document,
      operation,
      problems: operation.isSent ? [] : problemsOf(operation.operationId),
      codes: new Set(kinds.map(({ code }) => code)),
    };
    const { summary, method, path, description } = operation;
    const address = operationAddress(operation);
    const html = page(address, summary, operationBody(described));
    return { address, title: summary, html, text: inlineText(`${method} ${path} ${description}`) };
  });
  const list = page('/docs', 'Reference', listBody(document, operations));
  return [{ address: '/docs', title: 'Reference', html: list, text: '' }, ...ofOperations];
}

function listBody(
  { info, tags, components }: DescribedDocument,
  operations: readonly PlacedOperation[],
): string {
  const noCodes = new Set<string>();
  const groups = tags.map(({ name, description }) => {
    const rows = operations
      .filter((operation) => operation.tags.includes(name))
      .map(
        (operation) =>
          `<tr><td><span class="method">${operation.method}</span></td><td><a href="${operationAddress(operation)}">${escaped(operation.summary)}</a><br><code>${escaped(operation.path)}</code></td></tr>`,
      );
    return `<h2 id="${name.replaceAll(' ', '-')}">${escaped(description)}</h2>
<div class="wide" tabindex="0"><table><tbody>
${rows.join('\n')}
</tbody></table></div>`;
  });
  return `<h1>${escaped(info.title)}: reference</h1>
<p>Each operation has a page with its parameters, its responses, its errors and examples, and a form that sends it.</p>
<p>${inlineHtml(info.description, noCodes)}</p>
<p>${inlineHtml(components.securitySchemes.apiKey.description, noCodes)}</p>
${groups.join('\n')}`;
}
