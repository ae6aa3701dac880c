import type { ErrorCode } from './errors.ts';

export interface ShownError {
  title: string;
  detail: string;
}

export const DE_ERRORS = {
  invalid_api_key: {
    title: 'Der API-Schlüssel ist ungültig',
    detail:
      'Er ist falsch geschrieben, unbekannt, widerrufen oder abgelaufen. Prüfen Sie, ob Sie den ganzen Schlüssel kopiert haben, oder bitten Sie den Betreiber des Dienstes um einen neuen.',
  },
  missing_api_key: { title: 'Der API-Schlüssel fehlt', detail: 'Melden Sie sich erneut an.' },
  insufficient_scope: {
    title: 'Der API-Schlüssel erlaubt das nicht',
    detail:
      'Er ist gültig, aber ihm fehlt eine Berechtigung. Bitten Sie den Betreiber des Dienstes um einen Schlüssel, der sie hat.',
  },
  insecure_transport: {
    title: 'Die Anfrage kam ohne TLS',
    detail:
      'Öffnen Sie die Seite unter der Adresse, die mit https:// beginnt, und bitten Sie den Betreiber des Dienstes um einen neuen Schlüssel: Dieser war unterwegs lesbar.',
  },
  not_found: { title: 'Nicht gefunden', detail: 'Das Gesuchte gibt es nicht oder nicht mehr.' },
  rate_limited: {
    title: 'Zu viele Anfragen',
    detail: 'Mit diesem Schlüssel oder von dieser Adresse kamen zu viele Anfragen auf einmal.',
  },
  too_many_exports: {
    title: 'Zu viele Exporte',
    detail:
      'Für dieses Konto laufen schon zwei Exporte, oder es hat heute zu viele begonnen. Warten Sie, bis einer beendet ist.',
  },
  unavailable: {
    title: 'Der Dienst ist vorübergehend nicht verfügbar',
    detail:
      'Er ist überlastet, startet neu oder erreicht seine Datenbank nicht. Versuchen Sie es gleich noch einmal.',
  },
  internal_error: {
    title: 'Fehler im Dienst',
    detail: 'Der Fehler liegt beim Dienst. Kommt er wieder, nennen Sie dem Betreiber die Anfrage-ID.',
  },
  invalid_request: { title: 'Die Anfrage ist ungültig', detail: 'Mehrere Angaben sind ungültig.' },
  invalid_status: { title: 'Der Status ist ungültig', detail: 'Wählen Sie einen Status aus dem Filter.' },
  invalid_currency: {
    title: 'Die Währung ist ungültig',
    detail: 'Eine Währung ist ein gültiger Code nach ISO 4217 in Großbuchstaben, zum Beispiel EUR.',
  },
  invalid_merchant_reference: {
    title: 'Die Referenz ist ungültig',
    detail: 'Eine Referenz hat 1 bis 255 Zeichen und keine Steuerzeichen.',
  },
  invalid_date: {
    title: 'Der Tag ist ungültig',
    detail: 'Ein Tag hat die Form JJJJ-MM-TT, zum Beispiel 2026-03-31, und steht im Kalender.',
  },
  invalid_time_zone: {
    title: 'Die Zeitzone ist ungültig',
    detail: 'Eine Zeitzone hat einen Namen wie Europe/Berlin oder UTC.',
  },
  invalid_amount: {
    title: 'Der Betrag ist ungültig',
    detail: 'Ein Betrag hat höchstens zwei Nachkommastellen.',
  },
  date_range_inverted: {
    title: 'Der Zeitraum endet vor seinem Anfang',
    detail: 'Wählen Sie den früheren Tag als Von.',
  },
  date_range_too_long: {
    title: 'Der Zeitraum ist zu lang',
    detail: 'Wählen Sie weniger Tage oder die Zeitzone UTC.',
  },
  cursor_malformed: {
    title: 'Die Position in der Liste ist ungültig',
    detail:
      'Die Adresse ist unvollständig oder gehört zu einem anderen Konto. Beginnen Sie auf der neuesten Seite.',
  },
  cursor_expired: {
    title: 'Die Position in der Liste ist abgelaufen',
    detail:
      'Die Seite wurde lange nicht geladen. Setzen Sie die Liste dort fort, wo Sie waren: Es wird nichts ausgelassen oder wiederholt.',
  },
  cursor_filter_mismatch: {
    title: 'Die Position gehört zu anderen Filtern',
    detail: 'Beginnen Sie auf der neuesten Seite.',
  },
} as const satisfies Partial<Record<ErrorCode, ShownError>>;

export const FR_ERRORS = {
  invalid_api_key: {
    title: 'La clé d’API n’est pas valable',
    detail:
      'Elle est mal saisie, inconnue, révoquée ou expirée. Vérifiez que vous avez copié la clé entière, ou demandez-en une nouvelle à l’exploitant du service.',
  },
  missing_api_key: { title: 'La clé d’API manque', detail: 'Reconnectez-vous.' },
  insufficient_scope: {
    title: 'La clé d’API ne le permet pas',
    detail:
      'Elle est valable, mais il lui manque une autorisation. Demandez à l’exploitant du service une clé qui l’a.',
  },
  insecure_transport: {
    title: 'La requête est arrivée sans TLS',
    detail:
      'Ouvrez la page à l’adresse qui commence par https:// et demandez une nouvelle clé à l’exploitant du service : celle-ci a pu être lue en chemin.',
  },
  not_found: { title: 'Introuvable', detail: 'Cet élément n’existe pas ou n’existe plus.' },
  rate_limited: {
    title: 'Trop de requêtes',
    detail: 'Trop de requêtes sont venues à la fois avec cette clé ou de cette adresse.',
  },
  too_many_exports: {
    title: 'Trop d’exports',
    detail:
      'Deux exports de ce compte sont déjà en cours, ou il en a commencé trop aujourd’hui. Attendez que l’un d’eux soit terminé.',
  },
  unavailable: {
    title: 'Le service est momentanément indisponible',
    detail: 'Il est surchargé, redémarre ou n’atteint pas sa base de données. Réessayez dans un instant.',
  },
  internal_error: {
    title: 'Erreur du service',
    detail: 'L’erreur vient du service. Si elle se répète, donnez l’ID de requête à l’exploitant.',
  },
  invalid_request: {
    title: 'La requête n’est pas valable',
    detail: 'Plusieurs valeurs ne sont pas valables.',
  },
  invalid_status: { title: 'Le statut n’est pas valable', detail: 'Choisissez un statut dans le filtre.' },
  invalid_currency: {
    title: 'La devise n’est pas valable',
    detail: 'Une devise est un code ISO 4217 en vigueur, en majuscules, par exemple EUR.',
  },
  invalid_merchant_reference: {
    title: 'La référence n’est pas valable',
    detail: 'Une référence compte de 1 à 255 caractères, sans caractère de contrôle.',
  },
  invalid_date: {
    title: 'Le jour n’est pas valable',
    detail: 'Un jour s’écrit AAAA-MM-JJ, par exemple 2026-03-31, et existe dans le calendrier.',
  },
  invalid_time_zone: {
    title: 'Le fuseau horaire n’est pas valable',
    detail: 'Un fuseau horaire a un nom comme Europe/Paris ou UTC.',
  },
  invalid_amount: { title: 'Le montant n’est pas valable', detail: 'Un montant a deux décimales au plus.' },
  date_range_inverted: {
    title: 'La période finit avant de commencer',
    detail: 'Saisissez le jour le plus ancien sous « Du ».',
  },
  date_range_too_long: {
    title: 'La période est trop longue',
    detail: 'Choisissez moins de jours, ou le fuseau UTC.',
  },
  cursor_malformed: {
    title: 'La position dans la liste n’est pas valable',
    detail: 'L’adresse est incomplète ou vient d’un autre compte. Recommencez à la première page.',
  },
  cursor_expired: {
    title: 'La position dans la liste a expiré',
    detail:
      'La page n’a pas été chargée depuis longtemps. Continuez la liste où vous en étiez : rien n’est omis ni répété.',
  },
  cursor_filter_mismatch: {
    title: 'La position est celle d’autres filtres',
    detail: 'Recommencez à la première page.',
  },
} as const satisfies Record<keyof typeof DE_ERRORS, ShownError>;
