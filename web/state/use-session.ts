import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from './failure.ts';
import { removeSession, type Session, storedSession, storeSession } from './session.ts';
import { Tabs } from './tabs.ts';

interface SessionState {
  session: Session | null;
  /** Why the session has ended, unless the user ended it in this tab. */
  endedBy: Failure | undefined;
  signIn(session: Session): void;
  /** The user signs out, in all tabs. */
  signOut(): void;
  /** The service refuses the key. */
  end(cause: Failure): void;
}

/** The session of this tab, or of another tab of the browser. */
export function useSession(): SessionState {
  const [session, setSession] = useState(storedSession);
  const [endedBy, setEndedBy] = useState<Failure>();
  const tabs = useRef<Tabs | undefined>(undefined);
  const current = useRef(session);
  current.current = session;
  if (tabs.current !== undefined) tabs.current.session = session;

  const start = (started: Session) => {
    storeSession(started);
    setEndedBy(undefined);
    setSession(started);
  };
  const stop = (cause: Failure | undefined) => {
    removeSession();
    setEndedBy(cause);
    setSession(null);
  };
  useEffect(() => {
    tabs.current = new Tabs({
      onSession: (shared) => {
        if (current.current === null) start(shared);
      },
      onSignedOut: (key) => {
        if (current.current?.key === key) stop(SIGNED_OUT_ELSEWHERE);
      },
    });
    tabs.current.session = current.current;
    return () => tabs.current?.close();
  }, []);

  return {
    session,
    endedBy,
    signIn: (started) => {
      start(started);
      tabs.current?.share(started);
    },
    signOut: () => {
      if (session !== null) tabs.current?.signOut(session.key);
      stop(undefined);
    },
    end: useCallback((cause) => {
      // Several requests can be refused: the first one knows of the session.
      if (current.current === null) return;
      stop(causeOfEnd(cause, current.current));
      current.current = null;
    }, []),
  };
}

const SIGNED_OUT_ELSEWHERE: Failure = {
  kind: 'signed-out',
  title: 'Signed out in another tab',
  detail: 'Signing out ends the session in all tabs. Sign in again to continue here.',
};

/** A key that was accepted before is not misspelt: it has ended. */
function causeOfEnd(cause: Failure, session: Session | null): Failure {
  if (cause.code !== 'invalid_api_key' || session === null) return cause;
  const { account, expiresAt } = session;
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return {
    ...cause,
    title: hasExpired ? 'The API key has expired' : 'The API key was revoked or replaced',
    detail: hasExpired
      ? `The key of the account ${account} ended at ${expiresAt.slice(0, 19).replace('T', ' ')} UTC. Ask the operator of the service for a new one.`
      : `The service accepted this key of the account ${account} before. Ask the operator of the service for a new one.`,
  };
}
