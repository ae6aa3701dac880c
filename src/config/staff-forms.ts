import { quote } from '../../values/quote.ts';
import { PATHS, parseRole, type StaffRole } from '../staff/staff.ts';
import { checked, explainBrowserUrl, type Form } from './setting-forms.ts';

export const OIDC_ISSUER = checked('URL', 'https://, or http:// on this machine', (text) => {
  const fault = explainBrowserUrl(text);
  if (fault !== undefined) return fault;
  return /[?#]/.test(text) ? 'has a query; write the issuer as the provider names it' : undefined;
});

export const OIDC_SCOPES = checked('scopes, separated by spaces', 'openid among them', (text) =>
  /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) &&
  text.split(' ').includes('openid')
    ? undefined
    : `is ${quote(text)}; write scopes with one space between them, openid among them, such as openid email profile groups`,
);

export const OIDC_REDIRECT_URL = checked(
  'URL',
  `https://, or http:// on this machine; its path is ${PATHS.staff}/callback`,
  (text) => {
    const fault = explainBrowserUrl(text);
    if (fault !== undefined) return fault;
    const { pathname, search } = new URL(text);
    const isOwn = search === '' && /^\/staff\/[A-Za-z0-9_-]{1,64}$/.test(pathname);
    return isOwn && !Object.values<string>(PATHS).includes(pathname)
      ? undefined
      : `does not lead to the path ${PATHS.staff}/callback of the operator's interface; write an address such as https://operator.example${PATHS.staff}/callback`;
  },
);

export const printable = (noun: string) =>
  checked(noun, '1 to 255 characters without spaces and control characters', (text) =>
    /^[\x21-\x7e]{1,255}$/.test(text)
      ? undefined
      : `is not a ${noun}; write 1 to 255 characters of printable ASCII without spaces`,
  );

const MAX_ROLES = 50;

export const OIDC_ROLES: Form<readonly StaffRole[]> = {
  form: 'list of claim:value=scopes, separated by commas',
  bounds: `at most ${MAX_ROLES}; scopes: read, webhooks and audit, joined with +; @PREFIX at the end limits the accounts`,
  parse: (text) => {
    const texts = text.split(',').map((role) => role.trim());
    if (texts.length > MAX_ROLES)
      return { faults: [`has ${texts.length} roles; at most ${MAX_ROLES} are possible`] };
    const roles = texts.map(parseRole);
    const faults = roles.flatMap((role, index) =>
      'fault' in role ? [`has the entry ${quote(texts[index] ?? '')}, which is no role: ${role.fault}`] : [],
    );
    return faults.length > 0 ? { faults } : { value: roles as StaffRole[] };
  },
};
