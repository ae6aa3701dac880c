import { endpoints } from './de/endpoints.ts';
import { frame } from './de/frame.ts';
import { list } from './de/list.ts';
import { reconcile } from './de/reconcile.ts';
import { review } from './de/review.ts';
import { sheet } from './de/sheet.ts';
import { transaction } from './de/transaction.ts';
import type { AllTexts } from './en.ts';

/** All texts of the page in German. */
export const texts: AllTexts = {
  $statuses: new Map([
    ['pending', 'ausstehend'],
    ['completed', 'abgeschlossen'],
    ['failed', 'fehlgeschlagen'],
    ['declined', 'abgelehnt'],
    ['expired', 'abgelaufen'],
    ['authorized', 'autorisiert'],
    ['cancelled', 'storniert'],
    ['canceled', 'storniert'],
    ['voided', 'storniert'],
    ['reversed', 'zurückgebucht'],
    ['refunded', 'erstattet'],
    ['partially_refunded', 'teilweise erstattet'],
    ['disputed', 'angefochten'],
    ['charged_back', 'rückbelastet'],
    ['chargeback', 'Rückbelastung'],
    ['fee', 'Gebühr'],
    ['payout', 'Auszahlung'],
  ]),
  $detailNames: new Map([
    ['customer', 'Kunde'],
    ['customerName', 'Kundenname'],
    ['email', 'E-Mail'],
    ['invoice', 'Rechnung'],
    ['description', 'Beschreibung'],
    ['paymentMethod', 'Zahlungsart'],
    ['method', 'Zahlungsart'],
    ['cardBrand', 'Kartenmarke'],
    ['cardLast4', 'Karte, letzte 4'],
    ['country', 'Land'],
    ['reason', 'Grund'],
    ['failureReason', 'Grund des Fehlschlags'],
  ]),
  $problems: new Map([
    ['invalid_api_key', 'Der API-Schlüssel ist ungültig'],
    ['missing_api_key', 'Der API-Schlüssel fehlt'],
    ['insufficient_scope', 'Der API-Schlüssel erlaubt das nicht'],
    ['insecure_transport', 'Die Anfrage kam ohne TLS'],
    ['not_found', 'Nicht gefunden'],
    ['rate_limited', 'Zu viele Anfragen'],
    ['too_many_exports', 'Zu viele Exporte'],
    ['unavailable', 'Der Dienst ist vorübergehend nicht verfügbar'],
    ['internal_error', 'Fehler im Dienst'],
    ['invalid_request', 'Die Anfrage ist ungültig'],
    ['invalid_status', 'Der Status ist ungültig'],
    ['invalid_currency', 'Die Währung ist ungültig'],
    ['invalid_merchant_reference', 'Die Referenz ist ungültig'],
    ['invalid_date', 'Der Tag ist ungültig'],
    ['invalid_time_zone', 'Die Zeitzone ist ungültig'],
    ['invalid_amount', 'Der Betrag ist ungültig'],
    ['date_range_inverted', 'Der Zeitraum endet vor seinem Anfang'],
    ['date_range_too_long', 'Der Zeitraum ist zu lang'],
    ['cursor_malformed', 'Die Position in der Liste ist ungültig'],
    ['cursor_expired', 'Die Position in der Liste ist abgelaufen'],
    ['cursor_filter_mismatch', 'Die Position gehört zu anderen Filtern'],
  ]),
  ...frame,
  ...list,
  ...transaction,
  ...endpoints,
  ...reconcile,
  ...review,
  ...sheet,
};
