export class NoConnection extends Error {}

const NO_RESPONSE = 'the connection was closed before a response';
export const NOT_RESOLVED = 'the name of the host could not be resolved';
const UNREACHABLE = 'the host could not be reached';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: NO_RESPONSE,
  EPIPE: NO_RESPONSE,
  ECONNABORTED: NO_RESPONSE,
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ENOTFOUND: NOT_RESOLVED,
  EAI_AGAIN: NOT_RESOLVED,
  EMFILE: 'the service has too many open connections',
  EPROTO: 'TLS failed',
  HPE_HEADER_OVERFLOW: 'the head of the response is too large',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
};

const NOT_TRUSTED = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|INVALID_|.*CERT)/;

export const isMalformed = ({ code = '' }: { code?: string | undefined }): boolean =>
  code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW';

/** Leaves out the messages of Node.js, because they contain addresses. */
export function explainRequestFailure(error: unknown): string {
  if (error instanceof NoConnection) return error.message;
  const { code = '' } = (error ?? {}) as { code?: string };
  const reason = REASONS[code];
  if (reason !== undefined) return reason;
  if (isMalformed({ code })) return 'the response does not begin with HTTP/1.1 and a status';
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return 'TLS failed';
  return NOT_TRUSTED.test(code) ? 'the certificate is not trusted' : 'the connection failed';
}
