import { PERSON_MAX_CHARACTERS, REASON_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { SCOPES, type Scope } from '../../../values/scopes.ts';
import { pageOf } from '../../http/operations/page.ts';
import { Type } from '../../http/schemas/type.ts';
import { DEFAULT_SCOPES } from '../api-key.ts';
import { SESSION_SECONDS } from '../session.ts';
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

export const SessionRequestSchema = Type.Object(
  {
    person: Type.String({
      description: `The person, as the platform knows them: 1 to ${PERSON_MAX_CHARACTERS} visible characters, without a space at an end. It is compared exactly.`,
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

export const CreatedSessionSchema = Type.Object(
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

export const ListedSessionSchema = Type.Object(
  {
    ...sessionFields,
    openedAt: nullableTime('When the code was exchanged. Null if it was not.'),
    state: Type.OpenEnum(
      ['waiting', 'open', 'ended', 'expired'],
      'waiting: the code was not exchanged yet. ended: a request ended it, or the key that made it ended.',
    ),
  },
  { $id: 'ListedSession', title: 'ListedSession' },
);

export const SessionPageSchema = pageOf('SessionPage', Type.Ref(ListedSessionSchema), 'Newest first.');

export const CodeRequestSchema = Type.Object(
  { code: Type.String({ description: 'The code of the link, behind #session=.' }) },
  {
    $id: 'CodeRequest',
    title: 'CodeRequest',
    examples: [{ code: 'ts_code_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1' }],
  },
);

export const OpenedSessionSchema = Type.Object(
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
