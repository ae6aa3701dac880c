/** The paths for staff. That of the provider's answer is below them too, as OIDC_REDIRECT_URL says. */
export const PATHS = {
  staff: '/staff',
  signIn: '/staff/sign-in',
  signOut: '/staff/sign-out',
  signedOut: '/staff/signed-out',
  sessions: '/staff/sessions',
  looks: '/staff/looks',
} as const;
