import type { Defect } from './defect.ts';

/** Faults of problem documents. */
export const PROBLEM_DEFECTS: Defect[] = [
  {
    name: 'problem-without-type',
    broken: 'A problem document has no type.',
    check: 'problem.fields',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { title, status, detail, code, requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'problem-without-title',
    broken: 'A problem document has no title.',
    check: 'problem.fields',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, status, detail, code, requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'problem-without-detail',
    broken: 'A problem document has no detail.',
    check: 'problem.fields',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, title, status, code, requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'problem-without-code',
    broken: 'A problem document has no code.',
    check: 'problem.fields',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, title, status, detail, requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'problem-without-request-id',
    broken: 'A problem document has no requestId.',
    check: 'problem.request-id',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, title, status, detail, code, ...this.members };',
      ],
    ],
  },
  {
    name: 'problem-type-dangling',
    broken: 'The type of a problem document leads nowhere.',
    check: 'problem.type-page',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/problems/${code}`, title, status, detail, code, requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'title-with-values',
    broken: 'The title differs between errors of one code.',
    check: 'problem.title',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, title: `${title}: ${detail}`, status, detail, code, requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'faults-without-errors',
    broken: 'A problem document of the query has no errors.',
    check: 'fault.errors-form',
    file: 'problem.ts',
    edits: [[', { errors: faults, ...members });', ', members);']],
  },
  {
    name: 'first-fault-alone',
    broken: 'Only the first of several faults is reported.',
    check: 'fault.several',
    file: 'problem.ts',
    edits: [
      [
        'export function refuse(faults: Fault[], members: object = {}): void {',
        'export function refuse(all: Fault[], members: object = {}): void {\n  const faults = all.slice(0, 1);',
      ],
    ],
  },
  {
    name: 'code-of-the-first-fault',
    broken: 'Several faulty parameters have the code of the first one.',
    check: 'fault.several.kinds',
    file: 'problem.ts',
    edits: [['parameters.size > 1', 'parameters.size > 100']],
  },
  {
    name: 'always-invalid-request',
    broken: 'A single fault has the code invalid_request.',
    check: 'fault.each',
    file: 'problem.ts',
    edits: [['parameters.size > 1', 'parameters.size > 0']],
  },
  {
    name: 'faults-422',
    broken: 'A fault of the query is 422.',
    check: 'fault.each',
    file: 'problem.ts',
    edits: [['invalid_status: [400', 'invalid_status: [422']],
  },
  {
    name: 'post-lists',
    broken: 'POST lists as GET does.',
    check: 'method.not-allowed',
    file: 'routes.ts',
    edits: [
      [
        "const wanted = method === 'HEAD' ?",
        "const wanted = method === 'HEAD' || (method === 'POST' && path === '/v1/transactions') ?",
      ],
    ],
  },
  {
    name: 'allow-missing',
    broken: 'The response to another method has no Allow.',
    check: 'method.not-allowed',
    file: 'routes.ts',
    edits: [[', {}, { Allow: allow });', ');']],
  },
  {
    name: 'method-404',
    broken: 'Another method is 404.',
    check: 'method.not-allowed',
    file: 'routes.ts',
    edits: [["new Problem('method_not_allowed'", "new Problem('not_found'"]],
  },
  {
    name: 'method-400',
    broken: 'Another method is 400.',
    check: 'method.not-allowed',
    file: 'routes.ts',
    edits: [["new Problem('method_not_allowed'", "new Problem('invalid_request'"]],
  },
  {
    name: 'head-refused',
    broken: 'HEAD is 405.',
    check: 'method.head',
    file: 'routes.ts',
    edits: [["method === 'HEAD' ? 'GET' : method", 'method']],
  },
  {
    name: 'code-in-upper-case',
    broken: 'Error codes are in upper case.',
    check: 'problem.codes',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, title, status, detail, code: code.toUpperCase(), requestId, ...this.members };',
      ],
    ],
  },
  {
    name: 'stack-shown',
    broken: 'A problem document has the stack of the service.',
    check: 'problem.no-internals',
    file: 'problem.ts',
    edits: [
      [
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };',
        'return { type: `/errors/${code}`, title, status, detail, code, requestId, stack: this.stack, ...this.members };',
      ],
    ],
  },
];
