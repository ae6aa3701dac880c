import type { FastifyRequest } from 'fastify';
import type { Listener } from '../telemetry/http-metrics.ts';

/** How a reader reaches the service, and how the service runs. */
export interface ReaderForm {
  listener: Listener;
  /** This listener's address as the reader reaches it, without a path. */
  origin: string;
  /** The address of the public listener for the same reader. */
  publicOrigin: string;
  /** True if the service runs from a package; false for a clone of the repository. */
  isPacked: boolean;
}

/** The addresses that are written in the repository's documents. */
const PUBLIC = 'http://127.0.0.1:3000';
const OPERATOR = 'http://127.0.0.1:3001';

const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** The service's address as a caller reaches it: that of the setting, or else that of the request. */
export function originOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | null,
): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const origin = `${protocol}://${host}`;
  return ORIGIN.test(origin) && URL.canParse(origin) ? origin : PUBLIC;
}

/** The settings that determine where the listeners are. */
export interface Listening {
  publicUrl: string | null;
  port: number;
  operatorPort: number | null;
}

/**
 * The public listener's address, for a reader of the operator's listener. Without a proxy, both are on the
 * same machine.
 */
export function publicOriginFor(origin: string, { publicUrl, port, operatorPort }: Listening): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const beside = new URL(origin);
  if (beside.protocol !== 'http:' || beside.port !== String(operatorPort) || port === 0) return PUBLIC;
  beside.port = String(port);
  return beside.origin;
}

const ADDRESSES = new RegExp(`(${PUBLIC}|${OPERATOR})(?!\\d)`, 'g');

/** A document as its reader can use it: with the service's addresses and the installed command. */
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

const PACKAGE_PART = /^ *<!-- package -->[\s\S]*?<!-- \/package -->\n/gm;
const PACKAGE_MARK = /^ *<!-- \/?package -->\n?|<!-- \/?package -->\n/gm;
/** A text that is only for clones can be a paragraph, some lines, or some words. */
const CLONE_PART =
  /<p><!-- clone -->(?:(?!<!-- \/clone)[\s\S])*<!-- \/clone --><\/p>\n|^ *<!-- clone -->[\s\S]*?<!-- \/clone -->\n|<!-- clone -->[\s\S]*?<!-- \/clone -->/gm;

/** A document without the parts for readers of a package, or without those for readers of a clone. */
export const withoutPart = (text: string, part: 'package' | 'clone'): string =>
  part === 'package'
    ? text.replaceAll(PACKAGE_PART, '')
    : text.replaceAll(CLONE_PART, '').replaceAll(PACKAGE_MARK, '');
