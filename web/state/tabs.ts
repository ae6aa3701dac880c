import { openChannel } from './channel.ts';
import type { Session } from './session.ts';

/* Tabs pass the key only in memory, and only to pages of the same origin. */

type Message =
  | { kind: 'who is signed in' }
  /** `isAnswer` is true if an open tab answers a new tab. It is absent if the user has just signed in. */
  | { kind: 'signed in'; session: Session; isAnswer?: true }
  | { kind: 'signed out'; id: string };

interface TabEvents {
  onSession(session: Session): void;
  onSignedOut(id: string): void;
}

export class Tabs {
  readonly #channel = openChannel('transactions.session');
  readonly #signedOut = new Set<string>();
  session: Session | null = null;

  constructor({ onSession, onSignedOut }: TabEvents) {
    if (this.#channel === undefined) return;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      // Another tab's answer can arrive after a sign-out, and must not sign the user in again.
      if (data.kind === 'signed in' && !(data.isAnswer && this.#signedOut.has(data.session.id)))
        onSession(data.session);
      if (data.kind === 'signed out') {
        this.#signedOut.add(data.id);
        onSignedOut(data.id);
      }
      if (data.kind === 'who is signed in' && this.session !== null)
        this.#post({ kind: 'signed in', session: this.session, isAnswer: true });
    };
    this.#post({ kind: 'who is signed in' });
  }

  share(session: Session): void {
    this.#post({ kind: 'signed in', session });
  }

  signOut(id: string): void {
    this.#signedOut.add(id);
    this.#post({ kind: 'signed out', id });
  }

  close(): void {
    this.#channel?.close();
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }
}
