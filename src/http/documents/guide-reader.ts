import type { FastifyRequest } from 'fastify';
import type { Listener } from '../telemetry/http-metrics.ts';

export interface ReaderForm {
  listener: Listener;
  /** The scheme, host and port at which the person who reads the guide reaches this listener. */
  origin: string;
  /** The address at which the person who reads the guide reaches the public listener. */
  publicOrigin: string;
  isPacked: boolean;
}

/** The addresses of the two listeners, as the repository's documents write them. */
const PUBLIC = 'http://127.0.0.1:3000';
const OPERATOR = 'http://127.0.0.1:3001';

const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

export function originOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | null,
): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const origin = `${protocol}://${host}`;
  return ORIGIN.test(origin) && URL.canParse(origin) ? origin : PUBLIC;
}

export interface Listening {
  publicUrl: string | null;
  port: number;
  operatorPort: number | null;
}

/** If `origin` is http with the operator's port, there is no proxy: both listeners have the same host. */
export function publicOriginFor(origin: string, { publicUrl, port, operatorPort }: Listening): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const beside = new URL(origin);
  if (beside.protocol !== 'http:' || beside.port !== String(operatorPort) || port === 0) return PUBLIC;
  beside.port = String(port);
  return beside.origin;
}

const ADDRESSES = new RegExp(`(${PUBLIC}|${OPERATOR})(?!\\d)`, 'g');

export function forReader(text: string, { listener, origin, publicOrigin, isPacked }: ReaderForm): string {
  const operatorOrigin = listener === 'operator' ? origin : OPERATOR;
  const addressed = text.replaceAll(ADDRESSES, (address) =>
    address === PUBLIC ? publicOrigin : operatorOrigin,
  );
  if (!isPacked && listener === 'operator') return withoutPart(addressed, 'package');
  return withoutPart(addressed, 'clone')
    .replaceAll(
      /npx --no-install (?=transactions\b(?!-))|node_modules\/\.bin\/node bin\/(?=transactions)/g,
      '',
    )
    .replaceAll(/\btransactions\.js\b(?= )/g, 'transactions')
    .replaceAll(/\bnpm start\b/g, 'transactions serve');
}

const MARK = /^ *<!-- \/?(?:clone|package) -->\n|<!-- \/?(?:clone|package) -->/gm;
const PARTS = { package: partPattern('package'), clone: partPattern('clone') };

/** If a part fills whole lines or a paragraph, the pattern also matches its line end, indent and `<p>`. */
function partPattern(part: string): RegExp {
  const marked = `<!-- ${part} -->(?:(?!<!-- /${part} )[^])*<!-- /${part} -->`;
  return new RegExp(`<p>${marked}</p>\n|^ *${marked}\n|${marked}`, 'gm');
}

export const withoutPart = (text: string, part: keyof typeof PARTS): string =>
  text.replaceAll(PARTS[part], '').replaceAll(MARK, '');
