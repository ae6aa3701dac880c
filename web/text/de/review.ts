import type { review as English } from '../en/review.ts';

export const review: typeof English = {
  $review: {
    $intro:
      'Was an den Tagen unten jemand ansehen sollte. Ihr Browser liest ihre Transaktionen einmal und findet es darunter.',
    $days: 'Tage',
    $reading: (count) => `Transaktionen werden gelesen: ${count}`,
    $readingOf: (count, all) => `Transaktionen werden gelesen: ${count} von ${all}`,
    $running: 'Lesen',
    $cancel: 'Abbrechen',
    $cancelled: 'Abgebrochen. Nichts wurde geprüft.',
    $again: 'Neu lesen',
    $readAt: (transactions, minute) => `${transactions} gelesen, Stand ${minute}.`,
    $noDays: 'Wählen Sie beide Tage, den früheren zuerst.',
    $finished: 'Der letzte Tag ist vorbei, und nichts davon steht aus.',
    $notOver: 'Der letzte Tag ist noch nicht vorbei.',
    $stillPending: (count) => `Noch ausstehend: ${count}. Die Summen können sich ändern.`,
    $canBePaid: (count) =>
      `Bis zum Ende erstellt und noch ausstehend: ${count}. Sie können noch als an diesen Tagen bezahlt erfasst werden.`,
    $nonePending: 'Von allem bis zum Ende Erstellten steht nichts aus.',
    $afterEnd: (day) => `Nach dem ${day} erfasst`,
    $afterEndHelp: 'In Summen, die am Ende des letzten Tages gezogen wurden, fehlen diese oder stehen aus.',
    $added: 'Neu',
    $settled: 'Nicht mehr ausstehend',
    $pendingByAge: 'Ausstehend nach Alter',
    $pendingHelp: 'Von allen Tagen, danach, wie lange die Erstellung her ist.',
    $over: (days) => `über ${days}`,
    $disputes: 'Anfechtungen',
    $repeated: 'Doppelt belastet?',
    $repeatedHelp:
      'Dieselbe eigene Referenz, derselbe Betrag und dieselbe Währung, innerhalb einer Stunde bezahlt. Das kann richtig sein: Fragen Sie nach, bevor Sie erstatten.',
    $notAllCompared: (count) =>
      `Es sind zu viele Zahlungen, um alle zu vergleichen: verglichen wurden nur solche, zwischen denen höchstens ${count} andere erstellt wurden.`,
    $refunded: 'hat eine Erstattung',
    $late: 'Spät erfasst',
    $lateHelp: 'Mehr als einen Tag nach der Erstellung erfasst.',
    $latePaidHelp: 'Die Zahlung wurde mehr als einen Tag später erfasst.',
    $sum: 'Summe',
    $recorded: 'Erfasst',
    $delay: 'Verspätung',
    $after: 'Nach der ersten',
    $noneFound: 'Keine',
    $shown: (shown, all) => `${shown} von ${all} werden angezeigt.`,
    $showMore: (count) => `${count} weitere anzeigen`,
  },
};
