import { FR_ERRORS } from '../../values/interface/shown-errors.ts';
import type { Texts } from './en.ts';
import { frame } from './fr/frame.ts';
import { list } from './fr/list.ts';
import { transaction } from './fr/transaction.ts';

export const texts: Texts = {
  $statuses: new Map([
    ['pending', 'en attente'],
    ['completed', 'payée'],
    ['failed', 'échouée'],
    ['declined', 'refusée'],
    ['expired', 'expirée'],
    ['authorized', 'autorisée'],
    ['cancelled', 'annulée'],
    ['canceled', 'annulée'],
    ['voided', 'annulée'],
    ['reversed', 'contre-passée'],
    ['refunded', 'remboursée'],
    ['partially_refunded', 'remboursée en partie'],
    ['disputed', 'contestée'],
    ['charged_back', 'débitée après contestation'],
    ['chargeback', 'contestation'],
    ['chargeback_reversed', 'contestation gagnée'],
    ['dispute_won', 'contestation gagnée'],
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
    ['last4', '4 derniers chiffres'],
    ['country', 'Pays'],
    ['reason', 'Motif'],
    ['failureReason', 'Motif de l’échec'],
  ]),
  $problems: new Map(Object.entries(FR_ERRORS)),
  ...frame,
  ...list,
  ...transaction,
};
