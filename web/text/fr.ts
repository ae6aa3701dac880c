import type { AllTexts } from './en.ts';
import { endpoints } from './fr/endpoints.ts';
import { frame } from './fr/frame.ts';
import { list } from './fr/list.ts';
import { reconcile } from './fr/reconcile.ts';
import { review } from './fr/review.ts';
import { sheet } from './fr/sheet.ts';
import { transaction } from './fr/transaction.ts';

/** All texts of the page in French. */
export const texts: AllTexts = {
  $statuses: new Map([
    ['pending', 'en attente'],
    ['completed', 'terminé'],
    ['failed', 'échoué'],
    ['declined', 'refusé'],
    ['expired', 'expiré'],
    ['authorized', 'autorisé'],
    ['cancelled', 'annulé'],
    ['canceled', 'annulé'],
    ['voided', 'annulé'],
    ['reversed', 'contre-passé'],
    ['refunded', 'remboursé'],
    ['partially_refunded', 'remboursé en partie'],
    ['disputed', 'en litige'],
    ['charged_back', 'rétrofacturé'],
    ['chargeback', 'rétrofacturation'],
    ['fee', 'frais'],
    ['payout', 'versement'],
  ]),
  $detailNames: new Map([
    ['customer', 'Client'],
    ['customerName', 'Nom du client'],
    ['email', 'E-mail'],
    ['invoice', 'Facture'],
    ['description', 'Description'],
    ['paymentMethod', 'Moyen de paiement'],
    ['method', 'Moyen de paiement'],
    ['cardBrand', 'Marque de la carte'],
    ['cardLast4', 'Carte, 4 derniers'],
    ['country', 'Pays'],
    ['reason', 'Motif'],
    ['failureReason', 'Motif de l’échec'],
  ]),
  $problems: new Map([
    ['invalid_api_key', 'La clé d’API n’est pas valable'],
    ['missing_api_key', 'La clé d’API manque'],
    ['insufficient_scope', 'La clé d’API ne le permet pas'],
    ['insecure_transport', 'La requête est arrivée sans TLS'],
    ['not_found', 'Introuvable'],
    ['rate_limited', 'Trop de requêtes'],
    ['too_many_exports', 'Trop d’exports'],
    ['unavailable', 'Le service est momentanément indisponible'],
    ['internal_error', 'Erreur du service'],
    ['invalid_request', 'La requête n’est pas valable'],
    ['invalid_status', 'Le statut n’est pas valable'],
    ['invalid_currency', 'La devise n’est pas valable'],
    ['invalid_merchant_reference', 'La référence n’est pas valable'],
    ['invalid_date', 'Le jour n’est pas valable'],
    ['invalid_time_zone', 'Le fuseau horaire n’est pas valable'],
    ['invalid_amount', 'Le montant n’est pas valable'],
    ['date_range_inverted', 'La période finit avant de commencer'],
    ['date_range_too_long', 'La période est trop longue'],
    ['cursor_malformed', 'La position dans la liste n’est pas valable'],
    ['cursor_expired', 'La position dans la liste a expiré'],
    ['cursor_filter_mismatch', 'La position est celle d’autres filtres'],
  ]),
  ...frame,
  ...list,
  ...transaction,
  ...endpoints,
  ...reconcile,
  ...review,
  ...sheet,
};
