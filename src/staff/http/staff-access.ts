import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../sealed-cookies.ts';
import type { StaffRole } from '../staff.ts';
import { PATHS } from '../staff.ts';
import { refusalOf } from './refusal.ts';
import type { StaffContext } from './staff-context.ts';

export interface Staff extends SignedIn {
  roles: readonly StaffRole[];
}

export type StaffAccess = ReturnType<typeof createStaffAccess>;

export function createStaffAccess({ settings, sealer, cookies, limiter, now }: StaffContext) {
  const { origin } = new URL(settings.redirectUrl);

  const staffOf = (request: FastifyRequest, reply: FastifyReply): Staff | undefined => {
    const cookie = cookies.signedIn.read(request);
    if (cookie === undefined) return undefined;
    const signedIn = sealer.openSignedIn(cookie, now());
    if (signedIn === undefined) {
      limiter.countFailure(request, reply);
      return undefined;
    }
    // The id is a hash of the role's setting. So a role that was changed since the sign-in no longer applies.
    const roles = settings.roles.filter(({ id }) => signedIn.roleIds.includes(id));
    return roles.length === 0 ? undefined : { ...signedIn, roles };
  };

  return {
    staffOf,
    requireForm: (request: FastifyRequest, reply: FastifyReply) => {
      const staff = staffOf(request, reply);
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const isOwn =
        staff !== undefined &&
        request.headers.origin === origin &&
        isSame(fields.get('token') ?? '', staff.formToken);
      if (!isOwn) {
        limiter.countFailure(request, reply);
        throw refusalOf(403, 'foreignForm', 'backToAccounts', PATHS.staff);
      }
      return { staff, fields };
    },
  };
}

function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
