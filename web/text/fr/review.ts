import type { review as English } from '../en/review.ts';

export const review: typeof English = {
  $review: {
    $intro:
      'Ce qui demande peut-être un regard, pour les jours ci-dessous. Votre navigateur lit leurs transactions une seule fois et l’y trouve.',
    $days: 'Jours',
    $reading: (count) => `Lecture des transactions\u00a0: ${count}`,
    $readingOf: (count, all) => `Lecture des transactions\u00a0: ${count} sur ${all}`,
    $running: 'Lecture',
    $cancel: 'Annuler',
    $cancelled: 'Annulé. Rien n’a été vérifié.',
    $again: 'Relire',
    $readAt: (transactions, minute) => `${transactions} lues à ${minute}.`,
    $noDays: 'Choisissez les deux jours, le premier d’abord.',
    $finished: 'Le dernier jour est passé, et rien n’est en attente.',
    $notOver: 'Le dernier jour n’est pas encore passé.',
    $stillPending: (count) => `Encore en attente\u00a0: ${count}. Les sommes peuvent changer.`,
    $canBePaid: (count) =>
      `Créées jusqu’à la fin et encore en attente\u00a0: ${count}. Elles peuvent encore être enregistrées comme payées pendant ces jours.`,
    $nonePending: 'Rien de ce qui a été créé jusqu’à la fin n’est en attente.',
    $afterEnd: (day) => `Enregistrées après le ${day}`,
    $afterEndHelp:
      'Dans des sommes relevées à la fin du dernier jour, elles manquent ou figurent comme en attente.',
    $added: 'Nouvelles',
    $settled: 'Plus en attente',
    $pendingByAge: 'En attente, par ancienneté',
    $pendingHelp: 'Pour tous les jours, selon l’ancienneté de leur création.',
    $over: (days) => `plus de ${days}`,
    $disputes: 'Contestations',
    $repeated: 'Débitées deux fois\u00a0?',
    $repeatedHelp:
      'Même référence de votre part, même montant et même devise, payées à moins d’une heure d’intervalle. Cela peut être juste\u00a0: renseignez-vous avant de rembourser.',
    $notAllCompared: (count) =>
      `Il y a trop de paiements pour les comparer tous\u00a0: seuls ceux entre lesquels ${count} autres au plus ont été créés ont été comparés.`,
    $refunded: 'a un remboursement',
    $late: 'Enregistrées tard',
    $lateHelp: 'Enregistrées plus d’un jour après leur création.',
    $latePaidHelp: 'Leur paiement a été enregistré plus d’un jour après.',
    $sum: 'Somme',
    $recorded: 'Enregistrée',
    $delay: 'Retard',
    $after: 'Après la première',
    $noneFound: 'Aucune',
    $shown: (shown, all) => `${shown} sur ${all} affichées.`,
    $showMore: (count) => `Afficher ${count} de plus`,
    $changedSinceYesterday: 'Ce qui a changé depuis hier',
    $changesIntro:
      'Ce que le service a enregistré depuis le jour ci-dessous\u00a0: les nouvelles transactions et celles qui ne sont plus en attente. Chacune figure une fois, telle qu’elle est maintenant.',
    $since: 'Depuis',
    $today: 'Aujourd’hui',
    $yesterday: 'Hier',
    $noDay: 'Choisissez un jour.',
    $changesReadAt: (transactions, minute) => `${transactions} enregistrées ou modifiées, état à ${minute}.`,
    $new: 'nouvelle',
    $newestFirst: 'Les plus récentes d’abord',
    $changesCut: (minute) =>
      `Il y a trop de changements pour les lire tous. Voici les derniers, jusqu’au ${minute}\u00a0: choisissez un jour plus récent.`,
    $changesArchived: 'Ce qui a été enregistré avant est archivé. L’exploitant du service l’a conservé.',
  },
};
