import { hash } from 'node:crypto';
import { knownNames } from '../../values/known-names.ts';
import { quote } from '../../values/quote.ts';
import { SCOPES, type ScopeOf } from '../../values/scopes.ts';
import { explainAccountPrefix, isWithinPrefix } from '../keys/api-key.ts';

/** Only roles have this scope. It allows a person to see who looked at which account. */
const AUDIT = 'audit';
const ROLE_SCOPES = [...SCOPES.account, AUDIT] as const;
type RoleScope = (typeof ROLE_SCOPES)[number];

export interface StaffRole {
  /** A claim and its value (`groups:support`). Both can contain colons. */
  member: string;
  scopes: readonly RoleScope[];
  /** Null if the role applies to all accounts. */
  accountPrefix: string | null;
  /** Made from the text of the role. If the text changes, people who are signed in lose the role. */
  id: string;
}

const ROLE_FORM =
  'write claim:value=scopes, such as groups:support=read, or with the prefix of accounts groups:eu=read+audit@eu-';
const ROLE = /^([^=]+:[^=]+)=([^=@]*)(?:@([^=@]*))?$/;

export function parseRole(text: string): StaffRole | { fault: string } {
  const [, member, scopeNames = '', prefix] = ROLE.exec(text) ?? [];
  if (member === undefined) return { fault: ROLE_FORM };
  const names = scopeNames.split('+');
  const unknown = names.find((name) => !isRoleScope(name));
  if (unknown !== undefined)
    return {
      fault: `${quote(unknown)} is not a scope${knownNames(unknown, ROLE_SCOPES, 'scopes of a role, several joined with +,')}`,
    };
  const prefixFault = prefix === undefined ? undefined : explainAccountPrefix(prefix);
  if (prefixFault !== undefined) return { fault: `the prefix ${prefixFault}` };
  const id = hash('sha256', text, 'base64url').slice(0, ROLE_ID_CHARACTERS);
  return { member, scopes: names.filter(isRoleScope), accountPrefix: prefix ?? null, id };
}

const ROLE_ID_CHARACTERS = 12;
const isRoleScope = (name: string): name is RoleScope => (ROLE_SCOPES as readonly string[]).includes(name);

export type Claims = Readonly<Record<string, unknown>>;

/** `a.b` is property `b` of claim `a` (Keycloak's `realm_access.roles`), unless a claim is named `a.b`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const dot = name.indexOf('.');
  const inner = dot === -1 ? undefined : claims[name.slice(0, dot)];
  return typeof inner === 'object' && inner !== null
    ? claimOf(inner as Claims, name.slice(dot + 1))
    : undefined;
}

export function textClaim(claims: Claims, name: string): string | undefined {
  const value = claimOf(claims, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function dividedMember(member: string): (readonly [claim: string, value: string])[] {
  const colons = [...member.matchAll(/(?<=.):(?=.)/g)].map(({ index }) => index);
  return colons.map((colon) => [member.slice(0, colon), member.slice(colon + 1)]);
}

export const rolesOf = (roles: readonly StaffRole[], claims: Claims): StaffRole[] =>
  roles.filter(({ member }) =>
    dividedMember(member).some(([claim, value]) => [claimOf(claims, claim)].flat().includes(value)),
  );

/** True if the provider sent any claim of OIDC_ROLES. If false, the set-up is probably wrong. */
export const hasClaimOfRoles = (roles: readonly StaffRole[], claims: Claims): boolean =>
  roles.some(({ member }) => dividedMember(member).some(([claim]) => claimOf(claims, claim) !== undefined));

export function scopesFor(roles: readonly StaffRole[], account: string): ScopeOf<'account'>[] {
  const reaching = rolesFor(roles, account).flatMap(({ scopes }) => scopes);
  return SCOPES.account.filter((scope) => reaching.includes(scope));
}

export const rolesFor = (roles: readonly StaffRole[], account: string): StaffRole[] =>
  roles.filter(({ accountPrefix }) => isWithinPrefix(account, accountPrefix));

/** None of the returned prefixes begins with another one. */
export const lookPrefixes = (roles: readonly StaffRole[]): (string | null)[] =>
  shortest(roles.filter(({ scopes }) => scopes.some((scope) => scope !== AUDIT)));

export const auditPrefixes = (roles: readonly StaffRole[]): (string | null)[] =>
  shortest(roles.filter(({ scopes }) => scopes.includes(AUDIT)));

function shortest(roles: readonly StaffRole[]): (string | null)[] {
  const prefixes = [...new Set(roles.map(({ accountPrefix }) => accountPrefix))];
  if (prefixes.includes(null)) return [null];
  return prefixes.filter((prefix) =>
    prefixes.every((other) => other === prefix || !prefix?.startsWith(other ?? '')),
  );
}

export const PATHS = {
  staff: '/staff',
  signIn: '/staff/sign-in',
  signOut: '/staff/sign-out',
  signedOut: '/staff/signed-out',
  sessions: '/staff/sessions',
  looks: '/staff/looks',
} as const;
