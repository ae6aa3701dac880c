export const sheet = {
  $sheet: {
    $netOfPaid: 'Net (all paid)',
    $days: 'Days',
    $paidDays: (zone: string) => `Paid, days of ${zone}, both included`,
    $createdDays: (zone: string) => `Created, days of ${zone}, both included`,
    $exportedAt: 'Exported at (UTC)',
    $longAmounts:
      'An amount of more than 14 digits is a text, because a spreadsheet would round it as a number.',
    $byDay: 'By day',
    $leftCurrency: 'Currency of the remaining amount',
  },
};
