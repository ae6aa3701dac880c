import type { Config } from '../config/settings.ts';
import type { StaffSignIn } from '../staff/http/staff-routes.ts';
import { openIdProvider } from '../staff/network/provider.ts';

export function staffSignIn(config: Config): StaffSignIn | null {
  const { oidcIssuer, oidcClientId, oidcRedirectUrl, publicUrl, secrets } = config;
  const { oidcClientSecret } = secrets;
  if (!(oidcIssuer && oidcClientId && oidcClientSecret && oidcRedirectUrl && publicUrl)) return null;
  const settings = {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    redirectUrl: oidcRedirectUrl,
    scopes: config.oidcScopes,
    roles: config.oidcRoles,
    personClaim: config.oidcPersonClaim,
    publicUrl,
  };
  return { settings, provider: openIdProvider(settings, () => performance.now()) };
}
