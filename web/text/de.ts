import { DE_ERRORS } from '../../values/interface/shown-errors.ts';
import { frame } from './de/frame.ts';
import { list } from './de/list.ts';
import { transaction } from './de/transaction.ts';
import type { Texts } from './en.ts';

export const texts: Texts = {
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
};
