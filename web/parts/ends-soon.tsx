import { platform, returnUrl } from '../state/return-link.ts';
import { endsSoon, session } from '../state/signed-in.ts';
import { useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { minuteOf } from '../text/session-text.ts';
import { ReturnLink } from './return-link.tsx';

/** A warning in the last minutes of a session. Screen readers speak it once, because the region is in the page before. */
export function EndsSoon() {
  const user = session.use();
  const isSoon = endsSoon.use();
  const { zone } = useRoute();
  return (
    <div class="ends-soon" role="status">
      {isSoon && user !== null && user.person !== null && user.expiresAt !== null && (
        <p>
          {texts.$endsAt(minuteOf(user.expiresAt, zone))}
          {returnUrl === null
            ? texts.$openAgain
            : texts.$signInAgain((label) => <ReturnLink>{label}</ReturnLink>, platform)}
        </p>
      )}
    </div>
  );
}
