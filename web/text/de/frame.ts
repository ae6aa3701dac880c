import type { frame as English } from '../en/frame.ts';

export const frame: typeof English = {
  $transactions: 'Transaktionen',
  $allTransactions: 'Alle Transaktionen',
  $transaction: { one: 'Transaktion', other: 'Transaktionen' },
  $change: { one: 'Änderung', other: 'Änderungen' },

  $skipToContent: 'Zum Inhalt springen',
  $skipToList: 'Zur Liste springen',
  $skipToPages: 'Zu den Seiten springen',
  $screens: 'Bereiche',
  $service: 'Dienst',
  $webhooks: 'Webhooks',
  $fails: { one: ' gestört', other: ' gestört' },
  $language: 'Sprache',
  $help: 'Hilfe (englisch)',
  $account: 'Konto',
  $accountOf: (account) => `Konto ${account}`,
  $until: (minute) => `, bis ${minute}`,
  $find:
    'Transaktionen finden: nach einem Teil einer Referenz oder eines Zusatzfelds, einem Betrag, einem Tag oder einem Link',
  $findExample: 'Bestellung, Kunde, Betrag, Tag',
  $keyInSearch:
    'Das ist ein Schlüssel oder ein Anmeldelink, keine Referenz. Es wurde nichts gesendet. Um einen Schlüssel zu verwenden, melden Sie sich ab und mit ihm wieder an.',

  $copy: 'Kopieren',
  $copied: 'Kopiert',
  $copyOf: (name) => `${name} kopieren`,
  $copiedOf: (name) => `${name} kopiert`,
  $notCopied: (name) => `${name}: Der Browser hat das Kopieren nicht erlaubt`,
  $loading: 'Wird geladen\u2026',
  $tryAgain: 'Erneut versuchen',
  $close: 'Schließen',
  $none: 'Keine',

  $signIn: 'Anmelden',
  $signInAt: (platform) => `Bei ${platform} anmelden`,
  $signingIn: 'Anmeldung läuft\u2026',
  $signOut: 'Abmelden',
  $lead:
    'Hier sehen, filtern und finden Sie die Transaktionen Ihres Kontos und speichern sie als CSV- oder Excel-Datei.',
  $apiKey: 'API-Schlüssel',
  $keyHelp: (hours) =>
    `Sie bleiben angemeldet, bis Sie sich abmelden, alle Tabs dieser Seite schließen oder sie ${hours} Stunden lang nicht benutzen. Wenn Sie keinen Schlüssel haben, bitten Sie den Betreiber des Dienstes um einen.`,
  $notKey: {
    title: 'Das ist kein API-Schlüssel',
    detail:
      'Ein API-Schlüssel hat 44 Zeichen, keine Leerzeichen und beginnt mit tk_live_. Kopieren Sie den ganzen Schlüssel und versuchen Sie es erneut.',
  },
  $show: 'Anzeigen',
  $hide: 'Verbergen',
  $showKey: 'Schlüssel anzeigen',
  $hideKey: 'Schlüssel verbergen',
  $linkShows: (what) => ['Dieser Link zeigt ', what, '.'],
  $linkTransaction: (reference) => ['die Transaktion ', reference],
  $linkSearch: (text) => ['eine Suche nach ', text],
  $linkFiltered: (filter) => ['Transaktionen: ', filter],
  $linkList: 'Transaktionen',
  $linkWebhooks: 'Webhooks',
  $linkAccount: (account) => [' Er gehört zum Konto ', account, ': Melden Sie sich bei diesem Konto an.'],

  $clockIsWrong: (age, isFast) =>
    `Die Uhr dieses Geräts geht ${age} ${isFast ? 'vor' : 'nach'}. Diese Seite folgt der Uhr des Dienstes.`,
  $yourPlatform: 'Ihrer Plattform',
  $endsAt: (minute) => `Ihre Sitzung endet um ${minute}. `,
  $openAgain: 'Um weiterzumachen, öffnen Sie die Seite erneut über Ihre Plattform.',
  $signInAgain: (link, platform) => [
    'Um weiterzumachen, ',
    link(`melden Sie sich bei ${platform} erneut an`),
    '.',
  ],
  $sessionExpired: (platform) => ({
    title: 'Ihre Sitzung ist abgelaufen',
    detail: `Eine Sitzung dauert einige Stunden. Öffnen Sie die Seite erneut über ${platform}. Sie machen dort weiter, wo Sie waren.`,
  }),
  $sessionEnded: (platform) => ({
    title: 'Ihre Sitzung wurde beendet',
    detail: `Sie wurde vorzeitig beendet, bei ${platform} oder durch eine Abmeldung. Öffnen Sie die Seite erneut über ${platform}. Sie machen dort weiter, wo Sie waren.`,
  }),
  $signedOutBecause: (title) => `Sie wurden abgemeldet: ${title}`,
  $keyExpired: (account, time) => ({
    title: 'Sie wurden abgemeldet: Der API-Schlüssel ist abgelaufen',
    detail: `Der Schlüssel des Kontos ${account} galt bis ${time} UTC. Bitten Sie den Betreiber des Dienstes um einen neuen.`,
  }),
  $keyRefused: (account) => ({
    title: 'Sie wurden abgemeldet: Der API-Schlüssel wurde widerrufen oder ersetzt',
    detail: `Der Dienst hat diesen Schlüssel des Kontos ${account} bisher angenommen. Bitten Sie den Betreiber des Dienstes um einen neuen.`,
  }),
  $signedOutIdle: (hours) => ({
    title: 'Sie wurden abgemeldet: Die Seite wurde nicht benutzt',
    detail: `Sie wurde ${hours} Stunden lang nicht benutzt.`,
  }),
  $signedOutElsewhere: {
    title: 'Sie wurden abgemeldet: Abmeldung in einem anderen Tab',
    detail:
      'Das Abmelden beendet die Sitzung in allen Tabs. Melden Sie sich erneut an, um hier weiterzumachen.',
  },
  $signingOut: {
    title: 'Abmeldung läuft\u2026',
    detail: 'Dieser Browser hat die Sitzung vergessen. Der Dienst beendet sie gerade.',
  },
  $signedOut: {
    title: 'Sie sind abgemeldet',
    detail: 'Die Sitzung ist beendet, in diesem Browser und beim Dienst.',
  },
  $signOutFailed: (end) => ({
    title: 'Hier abgemeldet, aber nicht beim Dienst',
    detail: `Der Dienst hat nicht geantwortet. Dieser Browser hat die Sitzung vergessen; eine Kopie davon würde noch bis ${end ?? 'zu ihrem Ende'} funktionieren.`,
  }),
  $linkRefused: (platform) => ({
    title: 'Dieser Link ist nicht mehr gültig',
    detail: `Er gilt nur einmal und nur eine Minute lang. Öffnen Sie ihn erneut über ${platform}: Dabei wird ein neuer erstellt.`,
  }),
  $linkFailed: (detail, platform) =>
    `${detail} Öffnen Sie den Link danach erneut über ${platform}: Jeder gilt nur einmal.`,

  $otherAccount: 'Link eines anderen Kontos',
  $otherAccountTitle: 'Dieser Link gehört zu einem anderen Konto',
  $otherAccountText: (linked, account) => [
    'Der Link gehört zum Konto ',
    linked,
    ', und Sie sind beim Konto ',
    account,
    ' angemeldet. Es wurde nichts geladen. Um dem Link zu folgen, melden Sie sich bei seinem Konto an.',
  ],
  $signInOther: 'Beim anderen Konto anmelden',
  $showSameFor: (account) => `Dasselbe für ${account} anzeigen`,

  $misspeltLink: 'Fehlerhafter Link',
  $misspeltTitle: 'Dieser Link enthält einen Fehler',
  $misspeltText:
    'Es wurde nichts geladen, weil ein fehlerhafter Link die falsche Liste zeigen könnte. Berichtigen Sie den Link oder wählen Sie eine Schaltfläche.',
  $showWebhooks: 'Webhooks anzeigen',
  $findText: (text) => `${text} suchen`,
  $showTransaction: (reference) => `Transaktion ${reference} anzeigen`,
  $showList: (filter) => `Anzeigen: ${filter}`,
  $belongsAfter: (path) => `gehört in der Adresse hinter ${path}?`,
  $notTimeZone: 'muss eine Zeitzone sein, zum Beispiel Europe/Berlin oder UTC.',
  $noValue: 'hat keinen Wert: Ergänzen Sie einen oder entfernen Sie den Teil.',
  $isTwice: 'steht zweimal in der Adresse: Entfernen Sie eines davon.',
  $notBy: (value) => `kann nur ${value} sein: Entfernen Sie den Teil.`,
  $notFilter: (filters) => `ist kein Filter. Die Filter heißen ${filters}.`,
  $notFilterButNear: (meant) => `ist kein Filter. Meinten Sie ${meant}?`,
  $noFiltersHere: 'gehört nicht in diese Adresse: Nur die Liste hat Filter. Entfernen Sie den Teil.',
  $notAddressButNear: (meant) => `ist keine Adresse dieser Seite. Meinten Sie ${meant}?`,
  $notAddress: (list, webhooks) =>
    `ist keine Adresse dieser Seite. Die Liste steht unter ${list}, eine Transaktion unter ${list}/ mit ihrer Zahlungs-ID, und die Webhooks stehen unter ${webhooks}.`,

  $noRead: (isSession) =>
    `${isSession ? 'Ihre Sitzung' : 'Dieser Schlüssel'} kann keine Transaktionen anzeigen`,
  $noReadText: (scope) => [
    'Der Schlüssel ist gültig, aber er berechtigt nicht zum Lesen von Transaktionen, und die Rechte eines Schlüssels lassen sich nicht ändern. Bitten Sie den Betreiber des Dienstes um einen Schlüssel mit der Berechtigung ',
    scope,
    ' und melden Sie sich mit ihm an.',
  ],
  $noReadSession: (scope, platform) => [
    `Ihre Sitzung berechtigt nicht zum Lesen von Transaktionen. Bitten Sie den Betreiber von ${platform} um eine Sitzung mit der Berechtigung `,
    scope,
    '.',
  ],
  $noReadWebhooks:
    'Die Seite kann die Webhook-Endpunkte des Kontos anzeigen und was ihnen nicht zugestellt werden konnte. Sie können Tests senden, Zustellungen wiederholen und Endpunkte wieder aktivieren.',
  $noReadNothing: 'Die Seite kann Ihnen nichts anzeigen.',

  $timedOut: {
    title: 'Der Dienst hat nicht rechtzeitig geantwortet',
    detail: 'Der Dienst ist möglicherweise ausgelastet.',
  },
  $unreachable: {
    title: 'Der Dienst ist nicht erreichbar',
    detail:
      'Prüfen Sie Ihre Netzwerkverbindung. Wenn andere Websites funktionieren, startet der Dienst möglicherweise gerade neu.',
  },
  $offline: {
    title: 'Dieses Gerät ist offline',
    detail: 'Prüfen Sie die Netzwerkverbindung dieses Geräts.',
  },
  $unreadable: {
    title: 'Die Antwort war nicht lesbar',
    detail: 'Die Antwort stammt nicht von diesem Dienst.',
  },
  $partFailed: {
    title: 'Dieser Teil der Seite konnte nicht geladen werden',
    detail: 'Vielleicht wurde der Dienst aktualisiert, seit Sie die Seite geöffnet haben.',
  },
  $loadPage: 'Seite neu laden',
  $whatThisMeans: 'Was das bedeutet (englisch)',
  $requestId: 'Anfrage-ID',
  $nameRequestId: 'Anfrage-ID',
  $retries: 'Die Seite versucht es automatisch erneut',
  $retriesIn: (seconds) => ` in ${seconds} s.`,
  $retriesNow: ': läuft gerade\u2026',
  $slow: 'Der Dienst hat noch nicht geantwortet. Die Seite wartet weiter.',
};
