import type { FastifyRequest } from 'fastify';
import { quote } from '../../../values/quote.ts';

export type Paragraphs = readonly [title: string, ...paragraphs: string[]];

const says = (title: string, ...paragraphs: string[]): Paragraphs => [title, ...paragraphs];

/** If a text contains HTML, or has HTML as a parameter, its name ends in `Html`. */
const en = {
  language: 'en',
  signedInHtml: (person: string, until: string) => `Signed in as ${person} until ${until}`,
  accounts: 'Accounts',
  whoLooked: 'Who looked',
  signIn: 'Sign in',
  signOut: 'Sign out',
  tryAgain: 'Try again',
  signInAgain: 'Sign in again',
  asSomebodyElse: 'Sign in as somebody else',
  backToAccounts: 'Back to the accounts',

  lookAtAccount: 'Look at an account',
  partOfName: 'Part of its name',
  find: 'Find',
  found: 'Found',
  recent: 'Recent',
  reason: 'Why you look',
  reasonHint: 'For example the number of a ticket. It is stored with your name, the account and the time.',
  open: 'Open',
  more: 'There are more. Type more of the name, from its beginning.',
  noneNamed: (part: string, prefixes: readonly string[]) =>
    prefixes.length === 0
      ? `No account has “${part}” in its name.`
      : `Your roles are for accounts that begin with ${prefixes.join(' or ')}. None of these has “${part}” in its name.`,
  noneSearched: (part: string) =>
    `There are too many accounts to search all. Those that were searched do not have “${part}” in their names: type a name from its beginning.`,
  chooseAccount: 'Choose an account.',
  noRoleFor: (account: string) => `None of your roles is for the account ${quote(account)}.`,
  noAccount: (account: string) => `There is no account ${quote(account)}.`,
  reasonLength: (most: number) =>
    `The reason must be 1 to ${most} characters without control characters. Say why you look.`,

  account: 'Account',
  person: 'Person',
  sessions: 'Sessions',
  sessionsHintHtml:
    'Sessions of an account, of a person, or both, until a week after they expire. The audit trail has all: <code>transactions audit --person P</code>.',
  older: 'Older ones',
  noSessions: 'No session is listed here.',
  personLength: (most: number) =>
    `The name of a person has 1 to ${most} characters, and no control characters.`,
  created: 'Created',
  opened: 'Opened',
  notOpened: 'not opened',
  ended: 'Ended',
  openUntilHtml: (time: string) => `open until ${time}`,

  stale: says(
    'This sign-in cannot be finished',
    'It was finished before, began more than ten minutes ago, or began in another browser. Nobody was signed in.',
  ),
  refused: says(
    'The provider refused the sign-in',
    'The provider that knows who you are did not let you in here. Its administrator can say why.',
  ),
  unavailable: says(
    'Signing in is not possible at the moment',
    'The provider that knows who you are does not answer. People who are signed in already can go on.',
    'Try again in a minute. If it lasts, tell the operator of this service: the log has the cause.',
  ),
  invalid: says(
    'Signing in does not work here',
    'The provider that knows who you are refused this service, or sent something that this service does not accept. This is not about you, and nobody was signed in.',
    'Tell the operator of this service: the log has the cause.',
  ),
  unknown: 'It is not known who you are',
  claimMissing: (claim: string) => [
    `The provider did not send the claim ${claim}, which this service takes for your name.`,
    'The operator of this service sets the claim with OIDC_PERSON_CLAIM, and what is requested with OIDC_SCOPES.',
  ],
  claimInvalid: (claim: string) =>
    `The claim ${claim} must be 1 to 128 characters, without control characters, invisible characters or spaces at its ends.`,
  notVerified: (address: string) => [
    `The provider does not say that the address ${address} is verified.`,
    'Verify it at the provider, then sign in again.',
  ],
  noRole: (person: string, members: string) =>
    says(
      'You have no role here',
      `You are signed in at the provider as ${person}, without a claim that gives a role here.`,
      `One of these is needed: ${members}.`,
      'The administrator of the provider can add you to a group. Then sign in again.',
    ),
  noClaim:
    'The provider sent none of these claims. If you are in a group already, tell the operator of this service: the log has the cause.',
  foreignForm: says(
    'The form was not sent from this page',
    'It was sent from another page, or you are not signed in any more. Nothing was done.',
  ),
  notAuditor: says(
    'Your role does not allow this',
    'A role with the scope audit is needed to see who looked. The operator gives it with OIDC_ROLES.',
  ),
  signedOut: says(
    'You are signed out',
    'You are signed out here, and not at the provider.',
    'A page of an account that you opened stays open: sign out there too.',
  ),
};

export type StaffTexts = typeof en;

const de: StaffTexts = {
  language: 'de',
  signedInHtml: (person, until) => `Angemeldet als ${person} bis ${until}`,
  accounts: 'Konten',
  whoLooked: 'Wer hat Konten eingesehen?',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  tryAgain: 'Erneut versuchen',
  signInAgain: 'Erneut anmelden',
  asSomebodyElse: 'Als andere Person anmelden',
  backToAccounts: 'Zurück zu den Konten',

  lookAtAccount: 'Konto einsehen',
  partOfName: 'Teil des Kontonamens',
  find: 'Suchen',
  found: 'Gefunden',
  recent: 'Zuletzt gewählt',
  reason: 'Grund der Einsicht',
  reasonHint:
    'Zum Beispiel die Nummer eines Tickets. Der Grund wird mit Ihrem Namen, dem Konto und der Zeit gespeichert.',
  open: 'Öffnen',
  more: 'Es gibt weitere Konten. Geben Sie mehr vom Anfang des Namens ein.',
  noneNamed: (part, prefixes) =>
    prefixes.length === 0
      ? `Kein Kontoname enthält „${part}“.`
      : `Ihre Rollen gelten für Konten, die mit ${prefixes.join(' oder ')} beginnen. Keines davon enthält „${part}“ im Namen.`,
  noneSearched: (part) =>
    `Es gibt zu viele Konten, um alle zu durchsuchen. Die durchsuchten enthalten „${part}“ nicht im Namen: Geben Sie einen Namen von Anfang an ein.`,
  chooseAccount: 'Wählen Sie ein Konto.',
  noRoleFor: (account) => `Keine Ihrer Rollen gilt für das Konto ${quote(account)}.`,
  noAccount: (account) => `Es gibt kein Konto ${quote(account)}.`,
  reasonLength: (most) =>
    `Der Grund muss 1 bis ${most} Zeichen haben, ohne Steuerzeichen. Geben Sie an, warum Sie das Konto einsehen.`,

  account: 'Konto',
  person: 'Person',
  sessions: 'Sitzungen',
  sessionsHintHtml:
    'Sitzungen eines Kontos, einer Person oder beides, bis eine Woche nach ihrem Ablauf. Das Protokoll enthält alle: <code>transactions audit --person P</code>.',
  older: 'Ältere',
  noSessions: 'Hier ist keine Sitzung aufgeführt.',
  personLength: (most) => `Der Name einer Person hat 1 bis ${most} Zeichen und keine Steuerzeichen.`,
  created: 'Erstellt',
  opened: 'Geöffnet',
  notOpened: 'nicht geöffnet',
  ended: 'Beendet',
  openUntilHtml: (time) => `offen bis ${time}`,

  stale: [
    'Diese Anmeldung lässt sich nicht abschließen',
    'Sie wurde bereits abgeschlossen, hat vor mehr als zehn Minuten begonnen oder in einem anderen Browser. Niemand wurde angemeldet.',
  ],
  refused: [
    'Der Anmeldedienst hat die Anmeldung abgelehnt',
    'Der Anmeldedienst, der Sie kennt, hat Sie hier nicht zugelassen. Den Grund nennt Ihnen dessen Administrator.',
  ],
  unavailable: [
    'Anmelden ist im Moment nicht möglich',
    'Der Anmeldedienst, der Sie kennt, antwortet nicht. Wer bereits angemeldet ist, kann weiterarbeiten.',
    'Versuchen Sie es in einer Minute erneut. Wenn es anhält, melden Sie es dem Betreiber dieses Dienstes: Die Ursache steht im Log.',
  ],
  invalid: [
    'Anmelden funktioniert hier nicht',
    'Der Anmeldedienst, der Sie kennt, hat diesen Dienst abgelehnt oder etwas gesendet, das dieser Dienst nicht annimmt. Das liegt nicht an Ihnen, und niemand wurde angemeldet.',
    'Melden Sie es dem Betreiber dieses Dienstes: Die Ursache steht im Log.',
  ],
  unknown: 'Es ist nicht bekannt, wer Sie sind',
  claimMissing: (claim) => [
    `Der Anmeldedienst hat den Claim ${claim} nicht gesendet, den dieser Dienst als Ihren Namen verwendet.`,
    'Der Betreiber dieses Dienstes legt den Claim mit OIDC_PERSON_CLAIM fest und mit OIDC_SCOPES, was angefragt wird.',
  ],
  claimInvalid: (claim) =>
    `Der Claim ${claim} muss 1 bis 128 Zeichen haben, ohne Steuerzeichen, unsichtbare Zeichen und Leerzeichen am Anfang oder Ende.`,
  notVerified: (address) => [
    `Der Anmeldedienst bestätigt die Adresse ${address} nicht.`,
    'Lassen Sie sie dort bestätigen und melden Sie sich dann erneut an.',
  ],
  noRole: (person, members) => [
    'Sie haben hier keine Rolle',
    `Sie sind beim Anmeldedienst als ${person} angemeldet, ohne einen Claim, der hier eine Rolle gibt.`,
    `Einer davon ist nötig: ${members}.`,
    'Der Administrator des Anmeldedienstes kann Sie in eine Gruppe aufnehmen. Melden Sie sich danach erneut an.',
  ],
  noClaim:
    'Der Anmeldedienst hat keinen dieser Claims gesendet. Wenn Sie bereits in einer Gruppe sind, melden Sie es dem Betreiber dieses Dienstes: Die Ursache steht im Log.',
  foreignForm: [
    'Das Formular wurde nicht von dieser Seite gesendet',
    'Es kam von einer anderen Seite, oder Sie sind nicht mehr angemeldet. Es wurde nichts ausgeführt.',
  ],
  notAuditor: [
    'Ihre Rolle reicht dafür nicht aus',
    'Um zu sehen, wer eingesehen hat, ist eine Rolle mit dem Scope audit nötig. Der Betreiber vergibt sie mit OIDC_ROLES.',
  ],
  signedOut: [
    'Sie sind abgemeldet',
    'Sie sind hier abgemeldet, nicht beim Anmeldedienst.',
    'Die Seite eines Kontos, das Sie geöffnet haben, bleibt offen: Melden Sie sich auch dort ab.',
  ],
};

const fr: StaffTexts = {
  language: 'fr',
  signedInHtml: (person, until) => `Connecté en tant que ${person} jusqu’à ${until}`,
  accounts: 'Comptes',
  whoLooked: 'Qui a consulté les comptes ?',
  signIn: 'Se connecter',
  signOut: 'Se déconnecter',
  tryAgain: 'Réessayer',
  signInAgain: 'Se reconnecter',
  asSomebodyElse: 'Se connecter avec une autre identité',
  backToAccounts: 'Retour aux comptes',

  lookAtAccount: 'Consulter un compte',
  partOfName: 'Partie de son nom',
  find: 'Chercher',
  found: 'Trouvés',
  recent: 'Choisis récemment',
  reason: 'Motif de la consultation',
  reasonHint:
    'Par exemple le numéro d’un ticket. Le motif est enregistré avec votre nom, le compte et l’heure.',
  open: 'Ouvrir',
  more: 'Il y en a d’autres. Saisissez davantage du nom, depuis son début.',
  noneNamed: (part, prefixes) =>
    prefixes.length === 0
      ? `Aucun nom de compte ne contient « ${part} ».`
      : `Vos rôles valent pour les comptes qui commencent par ${prefixes.join(' ou ')}. Aucun d’eux ne contient « ${part} » dans son nom.`,
  noneSearched: (part) =>
    `Il y a trop de comptes pour les parcourir tous. Ceux qui ont été parcourus ne contiennent pas « ${part} » : saisissez un nom depuis son début.`,
  chooseAccount: 'Choisissez un compte.',
  noRoleFor: (account) => `Aucun de vos rôles ne vaut pour le compte ${quote(account)}.`,
  noAccount: (account) => `Il n’y a pas de compte ${quote(account)}.`,
  reasonLength: (most) =>
    `Le motif doit compter de 1 à ${most} caractères, sans caractère de contrôle. Indiquez pourquoi vous consultez ce compte.`,

  account: 'Compte',
  person: 'Personne',
  sessions: 'Sessions',
  sessionsHintHtml:
    'Sessions d’un compte, d’une personne ou des deux, jusqu’à une semaine après leur expiration. Le journal d’audit les contient toutes : <code>transactions audit --person P</code>.',
  older: 'Plus anciennes',
  noSessions: 'Aucune session n’est listée ici.',
  personLength: (most) =>
    `Le nom d’une personne compte de 1 à ${most} caractères, sans caractère de contrôle.`,
  created: 'Créée',
  opened: 'Ouverte',
  notOpened: 'non ouverte',
  ended: 'Terminée',
  openUntilHtml: (time) => `ouverte jusqu’à ${time}`,

  stale: [
    'Cette connexion ne peut pas aboutir',
    'Elle a déjà abouti, a commencé il y a plus de dix minutes ou dans un autre navigateur. Personne n’a été connecté.',
  ],
  refused: [
    'Le fournisseur d’identité a refusé la connexion',
    'Le fournisseur d’identité qui vous connaît ne vous a pas laissé entrer ici. Son administrateur peut dire pourquoi.',
  ],
  unavailable: [
    'La connexion n’est pas possible pour le moment',
    'Le fournisseur d’identité qui vous connaît ne répond pas. Les personnes déjà connectées peuvent continuer.',
    'Réessayez dans une minute. Si cela dure, prévenez l’exploitant de ce service : le journal indique la cause.',
  ],
  invalid: [
    'La connexion ne fonctionne pas ici',
    'Le fournisseur d’identité qui vous connaît a refusé ce service, ou a envoyé quelque chose que ce service n’accepte pas. Vous n’y êtes pour rien, et personne n’a été connecté.',
    'Prévenez l’exploitant de ce service : le journal indique la cause.',
  ],
  unknown: 'On ne sait pas qui vous êtes',
  claimMissing: (claim) => [
    `Le fournisseur d’identité n’a pas envoyé la donnée ${claim}, que ce service prend pour votre nom.`,
    'L’exploitant de ce service la choisit avec OIDC_PERSON_CLAIM, et ce qui est demandé avec OIDC_SCOPES.',
  ],
  claimInvalid: (claim) =>
    `La donnée ${claim} doit compter de 1 à 128 caractères, sans caractère de contrôle ou invisible, ni espace au début ou à la fin.`,
  notVerified: (address) => [
    `Le fournisseur d’identité ne dit pas que l’adresse ${address} est vérifiée.`,
    'Faites-la vérifier chez lui, puis reconnectez-vous.',
  ],
  noRole: (person, members) => [
    'Vous n’avez pas de rôle ici',
    `Vous êtes connecté chez le fournisseur d’identité en tant que ${person}, sans donnée qui donne un rôle ici.`,
    `Il faut l’une de celles-ci : ${members}.`,
    'L’administrateur du fournisseur d’identité peut vous ajouter à un groupe. Reconnectez-vous ensuite.',
  ],
  noClaim:
    'Le fournisseur d’identité n’a envoyé aucune de ces données. Si vous êtes déjà dans un groupe, prévenez l’exploitant de ce service : le journal indique la cause.',
  foreignForm: [
    'Le formulaire n’a pas été envoyé depuis cette page',
    'Il vient d’une autre page, ou vous n’êtes plus connecté. Rien n’a été fait.',
  ],
  notAuditor: [
    'Votre rôle ne suffit pas',
    'Un rôle avec le droit audit est nécessaire pour voir qui a consulté. L’exploitant le donne avec OIDC_ROLES.',
  ],
  signedOut: [
    'Vous êtes déconnecté',
    'Vous êtes déconnecté ici, mais pas chez le fournisseur d’identité.',
    'La page d’un compte que vous avez ouvert reste ouverte : déconnectez-vous aussi là-bas.',
  ],
};

const TEXTS: Readonly<Record<string, StaffTexts>> = { en, de, fr };

export function textsFor({ headers }: Pick<FastifyRequest, 'headers'>): StaffTexts {
  const wanted = (headers['accept-language'] ?? '').toLowerCase().matchAll(/(?:^|,)\s*([a-z]+)/g);
  for (const [, language = ''] of wanted)
    if (Object.hasOwn(TEXTS, language)) return TEXTS[language] as StaffTexts;
  return en;
}
