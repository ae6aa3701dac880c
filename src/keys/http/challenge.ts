/** How to authenticate: the beginning of WWW-Authenticate. Source: RFC 6750, 3. */
export const CHALLENGE = 'Bearer realm="transactions"';
