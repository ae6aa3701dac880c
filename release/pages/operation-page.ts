import type { ProblemKind } from '../../src/http/problems/problem-kind.ts';
import type { Schema } from '../../src/http/schemas/type.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { attribute, escaped } from '../../src/staff/http/html-page.ts';
import {
  type DescribedDocument,
  type DescribedParameter,
  type DescribedResponse,
  exampleOfSchema,
  fieldsOf,
  type PlacedOperation,
  type ResponseContent,
  resolved,
  typeText,
} from './described.ts';
import { codeBlock, formsHtml, headingHtml, tableHtml } from './document-page.ts';
import { requestExamples } from './request-examples.ts';

/** Text in backticks and [links](address) become HTML. The code of an error becomes a link to its page. */
export function inlineHtml(text: string, codes: ReadonlySet<string>): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, (_, code: string) => codeHtml(code, codes))
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
}

export const inlineText = (text: string): string =>
  text.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1');

const codeHtml = (code: string, codes: ReadonlySet<string>) =>
  codes.has(code) ? `<a href="/errors/${code}"><code>${code}</code></a>` : `<code>${code}</code>`;

interface OperationDescription {
  listener: Listener;
  document: DescribedDocument;
  operation: PlacedOperation;
  problems: readonly ProblemKind[];
  codes: ReadonlySet<string>;
}

export function operationBody(described: OperationDescription): string {
  const { operation, codes } = described;
  const { method, path, summary, description, security, isSent } = operation;
  const [scope] = security.flatMap(({ apiKey = [] }) => apiKey);
  const access =
    isSent || security.length === 0
      ? 'It needs no key.'
      : scope === undefined
        ? 'It needs a key.'
        : `It needs a key with the scope <code>${scope}</code>.`;
  const sections = [
    ['Parameters', parametersHtml(described)],
    ['Body', bodyHtml(described)],
    ['Responses', responsesHtml(described)],
    ['Errors', errorsHtml(described)],
  ].map(([title = '', html]) => (html === '' ? '' : `${headingHtml(2, title.toLowerCase(), title)}${html}`));
  return `<h1>${escaped(summary)}</h1>
<p><span class="method">${method}</span> <code>${escaped(path)}</code></p>
<p>${inlineHtml(description.replace(/ Its errors: [^.]*\.$/, ''), codes)}</p>
${isSent ? '' : `<p class="quiet">${access}</p>\n${trialHtml(described)}`}
<div class="beside">
<div class="examples">${examplesHtml(described)}</div>
<div>${sections.filter(Boolean).join('\n')}</div>
</div>`;
}

function examplesHtml({ document, operation, listener }: OperationDescription): string {
  const [status = '', success] = Object.entries(operation.responses)[0] ?? [];
  const { content = {} } = resolved<DescribedResponse>(document, success as DescribedResponse);
  const responses = Object.values(content).map(responseExamples);
  const request = operation.isSent ? '' : formsHtml(requestExamples(document, operation, listener));
  return `${request}<p class="quiet">Response ${status}</p>${responses.join('')}`;
}

const responseExamples = ({ examples = {} }: ResponseContent): string =>
  Object.values(examples)
    .map(
      ({ summary, value }) =>
        `<p class="quiet">${escaped(summary ?? 'An example')}</p>${codeBlock(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}`,
    )
    .join('');

const parametersOf = ({ document, operation }: OperationDescription) =>
  (operation.parameters ?? []).map((one) => resolved<DescribedParameter>(document, one));

function parametersHtml(described: OperationDescription): string {
  const { document, codes } = described;
  const rows = parametersOf(described).map(({ name, in: place, required, description, schema }) => [
    `<code>${escaped(name)}</code><br><span class="quiet">${place}${required ? ', required' : ''}</span>`,
    meaning(document, schema, description, codes),
  ]);
  return rows.length === 0 ? '' : tableHtml(['Name', 'Meaning'], rows);
}

function meaning(
  document: DescribedDocument,
  schema: Schema,
  description: unknown,
  codes: ReadonlySet<string>,
): string {
  const { pattern, examples } = schema;
  const [example] = (examples ?? []) as unknown[];
  const more = [
    escaped(typeText(document, schema)),
    ...(pattern === undefined ? [] : [`<code>${escaped(String(pattern))}</code>`]),
    ...(example === undefined || typeof example === 'object'
      ? []
      : [`such as <code>${escaped(String(example))}</code>`]),
  ];
  const text = description === undefined ? '' : `${inlineHtml(String(description), codes)}<br>`;
  return `${text}<span class="quiet">${more.join('; ')}</span>`;
}

function fieldsHtml({ document, codes }: OperationDescription, schema: Schema): string {
  const rows = fieldsOf(document, schema).map(({ path, isRequired, schema: own }) => [
    `<code>${escaped(path)}</code>${isRequired ? '' : '<br><span class="quiet">can be absent</span>'}`,
    meaning(document, own, own['description'], codes),
  ]);
  return rows.length === 0 ? '' : tableHtml(['Field', 'Meaning'], rows);
}

function bodyHtml(described: OperationDescription): string {
  const { requestBody } = described.operation;
  if (requestBody === undefined) return '';
  return Object.entries(requestBody.content)
    .map(([type, { schema }]) => {
      const optional = requestBody.required === false ? ' It can be absent.' : '';
      return `<p><code>${escaped(type)}</code>.${optional}</p>\n${fieldsHtml(described, schema)}`;
    })
    .join('\n');
}

function responsesHtml(described: OperationDescription): string {
  const { document, operation, codes } = described;
  return Object.entries(operation.responses)
    .filter(([, response]) => !('$ref' in response))
    .map(([status, response], index) => {
      const { description, headers = {}, content = {} } = resolved<DescribedResponse>(document, response);
      const bodies = Object.entries(content).map(([type, body]) => {
        const fields = body.schema === undefined ? '' : fieldsHtml(described, body.schema);
        // The first response's examples are in the column next to the description.
        const shown = index === 0 ? '' : responseExamples(body);
        return `<p><code>${escaped(type)}</code></p>${shown}${fields === '' ? '' : `<details><summary>Fields</summary>${fields}</details>`}`;
      });
      const named = Object.entries(headers).map(([name, header]) => {
        const { description: text, schema } = resolved<{ description?: string; schema: Schema }>(
          document,
          header,
        );
        return [`<code>${escaped(name)}</code>`, meaning(document, schema, text, codes)];
      });
      const heads =
        named.length === 0
          ? ''
          : `<details><summary>Headers</summary>${tableHtml(['Header', 'Meaning'], named)}</details>`;
      return `<h3 id="status-${status}">${status}</h3><p>${inlineHtml(description, codes)}</p>${bodies.join('')}${heads}`;
    })
    .join('\n');
}

function errorsHtml({ problems }: OperationDescription): string {
  if (problems.length === 0) return '';
  const rows = problems
    .toSorted((left, right) => left.status - right.status)
    .map(({ status, code, title }) => [
      String(status),
      `<a href="/errors/${code}"><code>${code}</code></a>`,
      escaped(title),
    ]);
  return tableHtml(['HTTP', 'Code', 'Meaning'], rows);
}

function fieldHtml({ name, in: place, required, schema }: DescribedParameter): string {
  const { enum: choices, format, type, minimum, maximum } = schema;
  const same = `data-in="${place}" data-name=${attribute(name)}${required ? ' required' : ''}`;
  if (Array.isArray(choices))
    return `<select ${same}><option></option>${choices.map((choice) => `<option>${escaped(String(choice))}</option>`).join('')}</select>`;
  if (format === 'date') return `<input ${same} type="date" min="0001-01-01" max="9999-12-31">`;
  const bounds = `${minimum === undefined ? '' : ` min="${minimum}"`}${maximum === undefined ? '' : ` max="${maximum}"`}`;
  if (type === 'integer') return `<input ${same} type="number"${bounds}>`;
  const [example] = (schema['examples'] ?? []) as unknown[];
  const sample =
    place === 'path' && example !== undefined ? ` placeholder=${attribute(String(example))}` : '';
  return `<input ${same} autocomplete="off"${sample}>`;
}

function trialHtml(described: OperationDescription): string {
  const { document, operation } = described;
  const { method, path, requestBody, security } = operation;
  const fields = parametersOf(described).map(
    (parameter) => `<label><code>${escaped(parameter.name)}</code>${fieldHtml(parameter)}</label>`,
  );
  const key =
    security.length === 0
      ? ''
      : `<label>API key<input data-in="key" type="password" autocomplete="off" required></label>
<label><span></span><span><input data-keep type="checkbox"> Keep the key for other operations, until this tab is closed</span></label>`;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = content === undefined ? undefined : exampleOfSchema(document, content.schema);
  const text = type === 'application/x-ndjson' ? JSON.stringify(example) : JSON.stringify(example, null, 2);
  const body =
    content === undefined
      ? ''
      : `<label>Body<textarea data-in="body" spellcheck="false">${escaped(example === undefined ? '' : text)}</textarea></label>`;
  const note =
    method === 'GET'
      ? 'Sends the request to this service.'
      : 'Sends the request to this service, which does what it says.';
  return `<details class="trial" hidden><summary>Try it</summary>
<form class="try" data-method="${method}" data-path=${attribute(path)} data-type=${attribute(type ?? '')}>
<p class="quiet">${note}</p>
${key}${fields.join('\n')}${body}
<button>Send</button>
<div class="result" aria-live="polite"></div>
</form>
</details>`;
}
