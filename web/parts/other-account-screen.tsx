import type { KnownRoute } from '../state/route.ts';
import { signOut } from '../state/signed-in.ts';
import { useHeading } from '../state/title.ts';
import { navigate } from '../state/use-route.ts';
import { Button } from './button.tsx';
import { Panel } from './panel.tsx';

interface OtherAccountScreenProps {
  route: KnownRoute;
  /** The account of the key. */
  account: string;
  /** The account of the link. */
  linkedAccount: string;
}

/** A link that was made for another account. Showing it for this one without a word could pass for the other's transactions. */
export function OtherAccountScreen({ route, account, linkedAccount }: OtherAccountScreenProps) {
  useHeading('Link of another account');
  const actions = (
    <>
      <Button isPrimary onClick={signOut}>
        Sign in to the other account
      </Button>
      {/* A transaction belongs to one account. */}
      {route.view !== 'transaction' && (
        <Button onClick={() => navigate(route)}>Show the same for {account}</Button>
      )}
    </>
  );
  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>Transactions</h1>
      </div>
      <Panel icon="key" title="This link is of another account" isAlert actions={actions}>
        <p>
          The link is of the account <code>{linkedAccount}</code>, and you are signed in to the account{' '}
          <code>{account}</code>. Nothing was loaded. To follow the link, sign in to its account.
        </p>
      </Panel>
    </main>
  );
}
