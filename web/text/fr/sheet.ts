import type { sheet as English } from '../en/sheet.ts';

export const sheet: typeof English = {
  $sheet: {
    $netOfPaid: 'Net (tout ce qui est payé)',
    $days: 'Jours',
    $paidDays: (zone) => `Paiement, jours du fuseau ${zone}, tous deux inclus`,
    $createdDays: (zone) => `Création, jours du fuseau ${zone}, tous deux inclus`,
    $exportedAt: 'Exporté le (UTC)',
    $longAmounts:
      'Un montant de plus de 14 chiffres est un texte, car un tableur l’arrondirait en tant que nombre.',
    $byDay: 'Par jour',
    $leftCurrency: 'Devise du solde',
  },
};
