/** A list with at least one item. */
export const list = (items: object) => ({ type: 'array', items, minItems: 1 });

/** An object with these fields and no others, of which those that end in "!" are required. */
export function object(fields: Record<string, object>) {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key.replace('!', ''), value]),
  );
  const required = Object.keys(fields).flatMap((key) => (key.endsWith('!') ? [key.slice(0, -1)] : []));
  return { type: 'object', properties, required, additionalProperties: false };
}
