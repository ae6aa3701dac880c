import type { review as English } from '../en/review.ts';

export const review: typeof English = {
  $review: {
    $reading: (count) => `Lecture des transactions\u00a0: ${count}`,
    $readingOf: (count, all) => `Lecture des transactions\u00a0: ${count} sur ${all}`,
    $running: 'Lecture',
    $cancelled: 'Annulé. Rien n’a été vérifié.',
    $again: 'Actualiser',
    $readAt: (transactions, minute) => `Analyse à ${minute}\u00a0: ${transactions}.`,
    $noDays: 'Choisissez les deux jours, le plus ancien d’abord.',
    $finished: 'Le dernier jour est passé, et aucune transaction n’est en attente.',
    $notOver: 'Le dernier jour n’est pas encore passé.',
    $stillPending: (count) => `Encore en attente\u00a0: ${count}. Les sommes peuvent changer.`,
    $canBePaid: (count) =>
      `Créées avant la fin de cette période et encore en attente\u00a0: ${count}. Elles peuvent encore être enregistrées avec un jour de paiement dans celle-ci.`,
    $nonePending: 'Aucune transaction créée avant la fin de cette période n’est encore en attente.',
    $afterEnd: (day) => `Enregistrées après le ${day}`,
    $afterEndHelp:
      'Les sommes de la fin du dernier jour ne les contiennent pas, ou les comptent encore en attente.',
    $added: 'Nouvelles',
    $settled: 'Plus en attente',
    $pendingByAge: 'En attente, par ancienneté',
    $pendingHelp: 'Tous les jours, selon le temps écoulé depuis la création.',
    $over: (days) => `plus de ${days}`,
    $disputes: 'Contestations',
    $disputedOn: 'Contestée',
    $outcome: 'Issue',
    $won: 'Gagnée',
    $noOutcome: 'non tranchée',
    $noReason: 'aucun motif indiqué',
    $sumsOf: (title) => `${title}\u00a0: sommes`,
    $repeated: 'Débitées deux fois\u00a0?',
    $repeatedHelp:
      'Même référence de votre part, même montant et même devise, payées à moins d’une heure d’intervalle. Cela peut être normal\u00a0: renseignez-vous avant de rembourser.',
    $notAllCompared: (count) =>
      `Il y a trop de paiements pour les comparer tous\u00a0: seuls ceux entre lesquels ${count} autres au plus ont été créés ont été comparés.`,
    $refunded: 'a un remboursement',
    $late: 'Enregistrements tardifs',
    $lateHelp: 'Enregistrées plus d’un jour après leur création.',
    $latePaidHelp: 'Enregistrées plus d’un jour après leur paiement.',
    $sum: 'Somme',
    $recorded: 'Enregistrée',
    $delay: 'Retard',
    $after: 'Après la première',
    $changedSinceYesterday: 'Ce qui a changé depuis hier',
    $changesIntro:
      'Ce que le service a enregistré depuis le jour ci-dessous\u00a0: les nouvelles transactions et celles qui ne sont plus en attente. Chacune figure une fois, avec son statut actuel.',
    $since: 'Depuis',
    $today: 'Aujourd’hui',
    $yesterday: 'Hier',
    $noDay: 'Choisissez un jour.',
    $changesReadAt: (transactions, minute) =>
      `Enregistrements et modifications\u00a0: ${transactions}, état à ${minute}.`,
    $new: 'nouvelle',
    $newestFirst: 'Les plus récentes d’abord',
    $changesCut: (minute) =>
      `Il y a trop de modifications pour les lire toutes. Voici les dernières, jusqu’au ${minute}\u00a0: choisissez un jour plus récent.`,
    $changesArchived: 'Les modifications antérieures sont archivées. L’exploitant du service les conserve.',
  },
};
