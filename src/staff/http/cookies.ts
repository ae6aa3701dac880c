import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that scripts cannot read. Behind TLS its name binds it to the host and to TLS: no other site of the domain can set it. */
export interface Cookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string, forMs: number): void;
  clear(reply: FastifyReply): void;
}

/** Declares a cookie of a listener that browsers reach over https, or not. */
export function declareCookie(base: string, isSecure: boolean): Cookie {
  const name = isSecure ? `__Host-${base}` : base;
  const write = (reply: FastifyReply, value: string, seconds: number) =>
    // Lax and not Strict: the provider's redirect comes from another site.
    void reply.header(
      'set-cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
  return {
    read: ({ headers }) => {
      const pairs = (headers.cookie ?? '').split('; ');
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    },
    set: (reply, value, forMs) => write(reply, value, Math.floor(forMs / 1000)),
    clear: (reply) => write(reply, '', 0),
  };
}
