import { DE_ERRORS } from '../../values/interface/shown-errors.ts';
import { endpoints } from './de/endpoints.ts';
import { frame } from './de/frame.ts';
import { list } from './de/list.ts';
import { reconcile } from './de/reconcile.ts';
import { review } from './de/review.ts';
import { sheet } from './de/sheet.ts';
import { transaction } from './de/transaction.ts';
import type { AllTexts } from './en.ts';

export const texts: AllTexts = {
  $statuses: new Map([
    ['pending', 'ausstehend'],
    ['completed', 'erfolgreich'],
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
    ['charged_back', 'nach Anfechtung belastet'],
    ['chargeback', 'Zahlungsanfechtung'],
    ['chargeback_reversed', 'Anfechtung gewonnen'],
    ['dispute_won', 'Anfechtung gewonnen'],
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
    ['last4', 'Letzte 4 Ziffern'],
    ['country', 'Land'],
    ['reason', 'Grund'],
    ['failureReason', 'Grund des Fehlschlags'],
  ]),
  $problems: new Map(Object.entries(DE_ERRORS)),
  ...frame,
  ...list,
  ...transaction,
  ...endpoints,
  ...reconcile,
  ...review,
  ...sheet,
};
