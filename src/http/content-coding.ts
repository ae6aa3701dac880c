type ContentCoding = 'br' | 'gzip' | 'identity';

const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** In `available`, the coding with the smallest result comes first. Source: RFC 9110, 12.5.3. */
export function contentCodingOf(
  acceptEncoding: string | undefined,
  available: readonly Exclude<ContentCoding, 'identity'>[],
): ContentCoding {
  const weights = readWeights(acceptEncoding ?? '');
  const others = weights.get('*');
  let chosen: ContentCoding = 'identity';
  let highest = weights.get('identity') ?? 0;
  // If two codings have the same weight, the coding with the smaller result wins, and `identity` loses.
  for (const coding of available.toReversed()) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight === 0 || weight < highest) continue;
    chosen = coding;
    highest = weight;
  }
  return chosen;
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [name = '', parameter = 'q=1'] = element.split(';').map((part) => part.trim());
    const weight = WEIGHT.exec(parameter)?.[1];
    const coding = name.toLowerCase();
    if (coding !== '' && weight !== undefined) weights.set(ALIASES[coding] ?? coding, Number(weight));
  }
  return weights;
}
