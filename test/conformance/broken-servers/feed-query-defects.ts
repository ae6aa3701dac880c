import type { Defect } from './defect.ts';

/** Faults of the parameters of the change feed, and of waiting. */
export const FEED_QUERY_DEFECTS: Defect[] = [
  {
    name: 'sequence-ahead-empty',
    broken: 'A sequence number beyond the last one is an empty page.',
    check: 'changes.ahead',
    file: 'routes/list-changes.ts',
    edits: [['after !== undefined && after > ledger.headSequence', 'false']],
  },
  {
    name: 'sequence-ahead-without-head',
    broken: 'sequence_ahead does not tell the last number.',
    check: 'changes.ahead',
    file: 'routes/list-changes.ts',
    edits: [
      ['but the last change of the account is ${headSequence}', 'but that is beyond the last change'],
      [', { headSequence });', ');'],
    ],
  },
  {
    name: 'wrong-code-of-sequence-ahead',
    broken: 'A sequence number beyond the last one is invalid_sequence.',
    check: 'changes.ahead',
    file: 'routes/list-changes.ts',
    edits: [["code: 'sequence_ahead'", "code: 'invalid_sequence'"]],
  },
  {
    name: 'wrong-code-of-sequence',
    broken: 'A sequence number of another form is invalid_request.',
    check: 'changes.after.invalid',
    file: 'routes/list-changes.ts',
    edits: [["'invalid_sequence'", "'invalid_request'"]],
  },
  {
    name: 'wrong-code-of-limit',
    broken: 'A limit out of bounds is invalid_request.',
    check: 'changes.limit.invalid',
    file: 'routes/list-changes.ts',
    edits: [["'invalid_limit'", "'invalid_request'"]],
  },
  {
    name: 'wrong-code-of-wait',
    broken: 'A wait out of bounds is invalid_request.',
    check: 'changes.wait.invalid',
    file: 'routes/list-changes.ts',
    edits: [["'invalid_wait'", "'invalid_request'"]],
  },
  {
    name: 'limit-clamped',
    broken: 'A limit beyond 1000 is accepted.',
    check: 'changes.limit.invalid',
    file: 'routes/list-changes.ts',
    edits: [["'100', 1, 1000)", "'100', 1, 1_000_000)"]],
  },
  {
    name: 'limit-ignored',
    broken: 'limit is ignored.',
    check: 'changes.limit',
    file: 'routes/list-changes.ts',
    edits: [['after, limit, (wait', 'after, limit && 100, (wait']],
  },
  {
    name: 'limit-of-fifty',
    broken: 'Without limit, a page of the feed has fifty changes.',
    check: 'changes.limit',
    file: 'routes/list-changes.ts',
    edits: [["?? '100'", "?? '50'"]],
  },
  {
    name: 'wait-ignored',
    broken: 'wait is ignored: the response comes at once.',
    check: 'changes.wait.empty',
    file: 'routes/list-changes.ts',
    edits: [['first === ledger.headSequence && waitMs > 0', 'first === -1 && waitMs > 0']],
  },
  {
    name: 'wait-to-the-end',
    broken: 'A waiting request is not answered by a change.',
    check: 'changes.wait.wakes',
    file: 'routes/list-changes.ts',
    edits: [
      ['await ledger.nextChange(waitMs);', 'await new Promise((resolve) => setTimeout(resolve, waitMs));'],
    ],
  },
  {
    name: 'wait-with-changes',
    broken: 'A request waits although there are changes.',
    check: 'changes.wait.not-needed',
    file: 'routes/list-changes.ts',
    edits: [['first === ledger.headSequence && waitMs > 0', 'waitMs > 0']],
  },
  {
    name: 'feed-unknown-ignored',
    broken: 'An unknown parameter of the feed is ignored.',
    check: 'changes.parameters',
    file: 'routes/list-changes.ts',
    edits: [['  refuse(faults);', "  refuse(faults.filter(({ code }) => code !== 'unknown_parameter'));"]],
  },
  {
    name: 'feed-without-key',
    broken: 'The feed needs no valid key.',
    check: 'changes.authentication',
    file: 'server.ts',
    edits: [
      [
        "  if (access === 'anyone') return { account: '' };",
        "  if (access === 'anyone' || (request.url?.startsWith('/v1/changes') && !request.headers.authorization)) return { account: '-' };",
      ],
    ],
  },
];
