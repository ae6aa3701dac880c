import { readFileSync } from 'node:fs';
import { ROOT, type SourceChange } from './source-change.ts';

export interface PlantedFault extends SourceChange {
  name: string;
  checks: readonly string[];
  test: string;
  /** A part of the message with which the test must fail. If undefined, an assertion must fail. */
  error: string | undefined;
}

export const finderOf = (fault: PlantedFault): string =>
  fault.checks.length === 0 ? fault.test : `the kit's ${fault.checks.join(', ')}`;

export interface Promised {
  promise: string;
  /** A document and the beginning of one of its lines or headings, such as 'SPEC.md: Cursors'. */
  in: readonly string[];
  faults: readonly PlantedFault[];
}

const SUBJECTS = [
  'list',
  'cursors',
  'recording',
  'search',
  'changes',
  'totals',
  'exports',
  'keys',
  'sessions',
  'staff',
  'isolation',
  'limits',
  'webhooks',
  'details',
  'assistants',
  'operate',
  'histories',
  'seals',
  'start',
  'secrets',
  'client',
  'network',
  'kit',
];

function partsOf(text: string, mark: string): { heading: string; body: string }[] {
  const [, ...parts] = `\n${text}`.split(`\n${mark} `);
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { heading, body: lines.join('\n') };
  });
}

const valuesOf = (text: string, name: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2));

const textOf = (body: string, mark: string): string =>
  body
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');

function readFault(name: string, body: string, testOfPromise: string): PlantedFault {
  const [file = ''] = valuesOf(body, 'file');
  return {
    name,
    file,
    from: textOf(body, '-'),
    to: textOf(body, '+'),
    checks: valuesOf(body, 'checks').flatMap((ids) => ids.split(' ')),
    test: valuesOf(body, 'test')[0] ?? testOfPromise,
    error: valuesOf(body, 'error')[0],
  };
}

function readPromise(promise: string, body: string): Promised {
  const [own = ''] = body.split('\n### ');
  const [test = ''] = valuesOf(own, 'test');
  const faults = partsOf(body, '###').map((part) => readFault(part.heading, part.body, test));
  return { promise, in: valuesOf(own, 'in'), faults };
}

function readPromises(text: string): { subject: string; promises: Promised[] } {
  const [{ heading: subject, body } = { heading: '', body: '' }] = partsOf(text, '#');
  return { subject, promises: partsOf(body, '##').map((part) => readPromise(part.heading, part.body)) };
}

const SECTIONS = SUBJECTS.map((name) => readPromises(readFileSync(`${ROOT}test/faults/${name}.txt`, 'utf8')));

export const PROMISES: Readonly<Record<string, readonly Promised[]>> = Object.fromEntries(
  SECTIONS.map(({ subject, promises }) => [subject, promises]),
);

export const FAULTS = Object.values(PROMISES).flatMap((promises) => promises.flatMap(({ faults }) => faults));
