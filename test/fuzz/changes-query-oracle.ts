const isWhole = (least: number, most: number) => (value: string) =>
  /^(0|[1-9]\d*)$/.test(value) && BigInt(value) >= BigInt(least) && BigInt(value) <= BigInt(most);

const RULES: Record<string, { isValid: (value: string) => boolean; code: string }> = Object.assign(
  Object.create(null),
  {
    after: { isValid: isWhole(0, Number.MAX_SAFE_INTEGER), code: 'invalid_sequence' },
    limit: { isValid: isWhole(1, 1000), code: 'invalid_limit' },
    wait: { isValid: isWhole(0, 30), code: 'invalid_wait' },
  },
);

/** The codes of the faults of a request for changes, decided without the service's own rules. */
export function changesFaults(query: string): Set<string> {
  const given = [...new URLSearchParams(query)];
  const codes = new Set<string>();
  for (const [name, value] of given) {
    const isRepeated = given.filter(([other]) => other === name).length > 1;
    if (RULES[name] === undefined) codes.add('unknown_parameter');
    else if (isRepeated) codes.add('duplicate_parameter');
    else if (!RULES[name].isValid(value)) codes.add(RULES[name].code);
  }
  return codes;
}

/** The sequence numbers of the answer to a request without faults; null if `after` is beyond the head sequence. */
export function changesAnswer(query: string, headSequence: number): number[] | null {
  const { after = '0', limit = '100' } = Object.fromEntries(new URLSearchParams(query));
  if (Number(after) > headSequence) return null;
  const count = Math.min(Number(limit), headSequence - Number(after));
  return Array.from({ length: count }, (_, index) => Number(after) + 1 + index);
}
