import type { Defect } from './defect.ts';

/** Faults of reading a query, and of the report of its faults. */
export const QUERY_DEFECTS: Defect[] = [
  {
    name: 'unknown-ignored',
    broken: 'An unknown parameter is ignored.',
    check: 'parameter.unknown',
    file: 'query.ts',
    edits: [['if (!known.includes(parameter)) {', 'if (!known.includes(parameter)) {\n      continue;']],
  },
  {
    name: 'names-in-any-case',
    broken: 'Names of parameters are compared without case.',
    check: 'parameter.unknown',
    file: 'query.ts',
    edits: [
      [
        'const given = new URLSearchParams(query);',
        'const given = new URLSearchParams([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));',
      ],
    ],
  },
  {
    name: 'nearest-untold',
    broken: 'The refusal of curency does not mention currency.',
    check: 'parameter.unknown.nearest',
    file: 'query.ts',
    edits: [[': did you mean ${nearest.name}?', '']],
  },
  {
    name: 'page-size-untold',
    broken: 'The refusal of limit does not say that the page size is fixed.',
    check: 'parameter.page-size',
    file: 'query.ts',
    edits: [[': the page size is fixed at 10', '']],
  },
  {
    name: 'unknown-unnamed',
    broken: 'The fault of an unknown parameter does not name it.',
    check: 'parameter.unknown',
    file: 'query.ts',
    edits: [
      [
        "faults.push({ parameter, code: 'unknown_parameter'",
        "faults.push({ parameter: '', code: 'unknown_parameter'",
      ],
    ],
  },
  {
    name: 'last-of-repeated',
    broken: 'Of a repeated parameter, the last value counts.',
    check: 'parameter.duplicate',
    file: 'query.ts',
    edits: [
      [
        '} else if (others.length > 0) {',
        "} else if (others.length > 0) {\n      values.set(parameter, others.at(-1) ?? '');\n      continue;",
      ],
    ],
  },
  {
    name: 'first-of-repeated',
    broken: 'Of a repeated parameter, the first value counts.',
    check: 'cursor.repeated',
    file: 'query.ts',
    edits: [['others.length > 0', 'others.length < 0']],
  },
  {
    name: 'wrong-code-of-unknown',
    broken: 'An unknown parameter is reported as invalid_request.',
    check: 'parameter.unknown',
    file: 'query.ts',
    edits: [["'unknown_parameter'", "'invalid_request'"]],
  },
  {
    name: 'wrong-code-of-repeated',
    broken: 'A repeated parameter is reported as invalid_request.',
    check: 'parameter.duplicate',
    file: 'query.ts',
    edits: [["'duplicate_parameter'", "'invalid_request'"]],
  },
  {
    name: 'equal-repeats-accepted',
    broken: 'A parameter that is repeated with the same value is accepted.',
    check: 'parameter.duplicate',
    file: 'query.ts',
    edits: [['others.length > 0', 'others.some((other) => other !== value)']],
  },
  {
    name: 'plus-not-a-space',
    broken: 'A + of a query is a +.',
    check: 'parameter.encoding',
    file: 'query.ts',
    edits: [['new URLSearchParams(query)', "new URLSearchParams(query.replaceAll('+', '%2B'))"]],
  },
  {
    name: 'unknown-as-repeated',
    broken: 'An unknown parameter that is sent twice is reported as duplicate_parameter.',
    check: 'parameter.unknown',
    file: 'query.ts',
    edits: [
      ['if (!known.includes(parameter)) {', 'if (!known.includes(parameter) && others.length === 0) {'],
    ],
  },
];
