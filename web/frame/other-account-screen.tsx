import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import type { KnownRoute } from '../state/route.ts';
import { signOut } from '../state/signed-in.ts';
import { useHeading } from '../state/title.ts';
import { navigate } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

interface OtherAccountScreenProps {
  route: KnownRoute;
  account: string;
  linkedAccount: string;
}

/** Shown before the linked view, because users could mistake the signed-in account for the linked account. */
export function OtherAccountScreen({ route, account, linkedAccount }: OtherAccountScreenProps) {
  useHeading(texts.$otherAccount);
  const actions = (
    <>
      <Button isPrimary onClick={signOut}>
        {texts.$signInOther}
      </Button>
      {/* For a link to a transaction, this button is missing, because the signed-in account does not have
          that transaction. */}
      {route.view !== 'transaction' && (
        <Button onClick={() => navigate(route)}>{texts.$showSameFor(account)}</Button>
      )}
    </>
  );
  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$transactions}</h1>
      </div>
      <Panel icon="key" title={texts.$otherAccountTitle} isAlert actions={actions}>
        <p>{texts.$otherAccountText(<code>{linkedAccount}</code>, <code>{account}</code>)}</p>
      </Panel>
    </main>
  );
}
