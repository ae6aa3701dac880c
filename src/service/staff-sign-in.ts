import { UsageError } from '../../values/failure.ts';
import type { Config } from '../config/settings.ts';
import type { StaffSignIn } from '../staff/http/staff-routes.ts';
import { openIdProvider } from '../staff/network/provider.ts';

export function staffSignIn(config: Config): StaffSignIn | null {
  const { oidcIssuer, oidcClientId, oidcRedirectUrl, oidcRoles, publicUrl, operatorPort, secrets } = config;
  const { oidcClientSecret } = secrets;
  const own = {
    OIDC_ISSUER: oidcIssuer,
    OIDC_CLIENT_ID: oidcClientId,
    OIDC_CLIENT_SECRET: oidcClientSecret,
    OIDC_REDIRECT_URL: oidcRedirectUrl,
    OIDC_ROLES: oidcRoles[0],
  };
  const set = Object.entries(own).filter(([, value]) => value);
  if (set.length === 0) return null;
  if (
    !(oidcIssuer && oidcClientId && oidcClientSecret && oidcRedirectUrl && oidcRoles[0] && publicUrl) ||
    operatorPort === null
  ) {
    // PUBLIC_URL and OPERATOR_PORT also have other uses, so these two alone do not enable the sign-in.
    const needed = { ...own, PUBLIC_URL: publicUrl, OPERATOR_PORT: operatorPort !== null };
    const missing = Object.entries(needed).filter(([, value]) => !value);
    const [names, missingNames] = [set, missing].map((entries) => entries.map(([name]) => name).join(', '));
    throw new UsageError(
      'The settings are wrong:',
      `  ${names} ${set.length === 1 ? 'is' : 'are'} set without ${missingNames}. Set all of them so that staff can sign in, or none.`,
    );
  }
  const settings = {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    redirectUrl: oidcRedirectUrl,
    scopes: config.oidcScopes,
    roles: oidcRoles,
    personClaim: config.oidcPersonClaim,
    publicUrl,
  };
  return { settings, provider: openIdProvider(settings, () => performance.now()) };
}
