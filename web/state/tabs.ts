import type { Session } from './session.ts';

/*
 * Tabs of one browser share the session of the user: a new tab asks the open ones, and signing out ends all of them. The key goes from
 * tab to tab in memory, and only to pages of the same origin.
 */

type Message =
  | { kind: 'who is signed in' }
  | { kind: 'signed in'; session: Session }
  | { kind: 'signed out'; key: string };

export interface TabEvents {
  /** Another tab has this session. */
  onSession(session: Session): void;
  /** The user has signed out of a key in another tab. */
  onSignedOut(key: string): void;
}

export class Tabs {
  readonly #channel: BroadcastChannel | undefined;
  /** The session of this tab. */
  session: Session | null = null;

  constructor({ onSession, onSignedOut }: TabEvents) {
    // Browsers that block storage can block the channel too. Each tab then signs in by itself.
    try {
      this.#channel = new BroadcastChannel('transactions.session');
    } catch {
      return;
    }
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'signed in') onSession(data.session);
      if (data.kind === 'signed out') onSignedOut(data.key);
      if (data.kind === 'who is signed in' && this.session !== null) this.share(this.session);
    };
    this.#post({ kind: 'who is signed in' });
  }

  share(session: Session): void {
    this.#post({ kind: 'signed in', session });
  }

  signOut(key: string): void {
    this.#post({ kind: 'signed out', key });
  }

  close(): void {
    this.#channel?.close();
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }
}
