import { pageOf } from '../../http/operations/page.ts';
import type { Example } from '../../http/schemas/responses.ts';
import { type Static, Type } from '../../http/schemas/type.ts';
import { SCOPES, type Scope } from '../../values/scopes.ts';
import { DEFAULT_SCOPES } from '../scopes.ts';
import { PERSON_MAX_CHARACTERS, REASON_MAX_CHARACTERS, SESSION_SECONDS } from '../session.ts';
import { nullableTime } from './api-key-schemas.ts';

const person = Type.String({
  description: 'The person, as the platform knows them.',
  examples: ['ada@shop.example'],
});
const scopes = Type.Array(Type.OpenEnum<Scope>(SCOPES.account), {
  description: 'What the person can do.',
  examples: [['read']],
});
const expiresAt = Type.String({
  format: 'date-time',
  description: 'The time from which the session is refused, unless it ends before.',
});

const sessionFields = {
  id: Type.String({
    description: 'Identifies the session. It is not a secret.',
    examples: ['ses_0123456789abcdef'],
  }),
  account: Type.String(),
  person,
  scopes,
  reason: Type.Nullable({ description: 'Why the person looks.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt,
};

export const SessionRequest = Type.Object(
  {
    person: Type.String({
      description: `The person, as the platform knows them: 1 to ${PERSON_MAX_CHARACTERS} characters that are seen, without a space at an end. It is compared exactly.`,
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum(SCOPES.account), {
        description: `What the person can do; ${DEFAULT_SCOPES.account.join(' and ')} if it is absent.`,
      }),
    ),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: SESSION_SECONDS.least,
        maximum: SESSION_SECONDS.most,
        description: `How many seconds the session lasts; ${SESSION_SECONDS.default} if it is absent. It never outlives the key that makes it.`,
      }),
    ),
    reason: Type.Optional(
      Type.Nullable({ description: `Why the person looks: 1 to ${REASON_MAX_CHARACTERS} characters.` }),
    ),
  },
  {
    $id: 'SessionRequest',
    title: 'SessionRequest',
    examples: [{ person: 'ada@shop.example', scopes: ['read'], expiresIn: 28_800 }],
  },
);

export const CreatedSession = Type.Object(
  {
    ...sessionFields,
    code: Type.String({
      description:
        'Exchanged once for the key of the session, until codeExpiresAt. It is shown only in this response.',
    }),
    codeExpiresAt: Type.String({
      format: 'date-time',
      description: 'The time from which the code is refused: 60 seconds after createdAt.',
    }),
    url: Type.Nullable({
      description: 'The address of the page, which exchanges the code. Null if PUBLIC_URL is not set.',
    }),
  },
  { $id: 'CreatedSession', title: 'CreatedSession' },
);
type CreatedSession = Static<typeof CreatedSession>;

export const ListedSession = Type.Object(
  {
    ...sessionFields,
    openedAt: nullableTime('When the code was exchanged. Null if it was not.'),
    state: Type.OpenEnum(
      ['waiting', 'open', 'ended', 'expired'],
      'waiting: the code was not exchanged yet. ended: by a request, or with the key that made it.',
    ),
  },
  { $id: 'ListedSession', title: 'ListedSession' },
);
type ListedSession = Static<typeof ListedSession>;

export const SessionPage = pageOf('SessionPage', Type.Ref(ListedSession), 'Newest first.');

export const CodeRequest = Type.Object(
  { code: Type.String({ description: 'The code of the link, behind #session=.' }) },
  {
    $id: 'CodeRequest',
    title: 'CodeRequest',
    examples: [{ code: 'ts_code_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1' }],
  },
);

export const OpenedSession = Type.Object(
  {
    key: Type.String({
      description: 'The key of the session, for the header Authorization. It is shown only in this response.',
    }),
    account: Type.String(),
    person,
    scopes,
    expiresAt,
  },
  { $id: 'OpenedSession', title: 'OpenedSession' },
);
type OpenedSession = Static<typeof OpenedSession>;

const SESSION = {
  id: 'ses_0123456789abcdef',
  account: 'store-1',
  person: 'ada@shop.example',
  scopes: ['read'] as Scope[],
  reason: null,
  createdAt: '2026-06-15T12:00:00.000Z',
  expiresAt: '2026-06-15T20:00:00.000Z',
};

const CREATED: CreatedSession = {
  ...SESSION,
  code: 'ts_code_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1',
  codeExpiresAt: '2026-06-15T12:01:00.000Z',
  url: 'https://payments.shop.example/#session=ts_code_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1',
};
const OPEN: ListedSession = { ...SESSION, openedAt: '2026-06-15T12:00:02.000Z', state: 'open' };
const OPENED: OpenedSession = {
  key: 'ts_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1',
  account: SESSION.account,
  person: SESSION.person,
  scopes: SESSION.scopes,
  expiresAt: SESSION.expiresAt,
};

export const CREATED_SESSION_EXAMPLES: Record<string, Example> = {
  created: { summary: 'A new session', value: CREATED },
};
export const LISTED_SESSIONS_EXAMPLES: Record<string, Example> = {
  one: { summary: 'One person looks', value: { data: [OPEN], nextCursor: null, hasMore: false } },
};
export const OPENED_SESSION_EXAMPLES: Record<string, Example> = {
  opened: { summary: 'The key of the session', value: OPENED },
};
