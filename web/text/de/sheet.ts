import type { sheet as English } from '../en/sheet.ts';

export const sheet: typeof English = {
  $sheet: {
    $netOfPaid: 'Netto (alles Bezahlte)',
    $days: 'Tage',
    $paidDays: (zone) => `Bezahlt, Tage der Zeitzone ${zone}, beide eingeschlossen`,
    $createdDays: (zone) => `Erstellt, Tage der Zeitzone ${zone}, beide eingeschlossen`,
    $exportedAt: 'Exportiert am (UTC)',
    $longAmounts:
      'Ein Betrag mit mehr als 14 Ziffern ist ein Text, weil eine Tabellenkalkulation ihn als Zahl runden würde.',
    $byDay: 'Nach Tagen',
    $leftCurrency: 'Währung des Restbetrags',
  },
};
