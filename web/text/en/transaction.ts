import type { ComponentChild } from 'preact';
import type { Forms } from '../count.ts';

export const transaction = {
  $loadingTransaction: 'Loading the transaction',
  $nowIs: (status: string) => `Now ${status}`,
  $theTransaction: 'Transaction',
  $backToList: 'Back to the list',
  $backToSearch: 'Back to the search',
  $noTransaction: (account: string, reference: string) =>
    `The account ${account} has no transaction with the payment ID "${reference}". It can be your own reference, such as an order number, or belong to another account.`,
  $searchReferences: 'Search your references',
  $theReference: 'the payment ID',
  $theRelated: 'the related payment ID',
  $theDetail: (name: string) => name.toLowerCase(),
  $isNotPaid: 'Not paid',
  $details: 'Details',
  $removedAt: (time: ComponentChild) => ['Removed for good at ', time],

  $recordedBy: 'Recorded by the service',
  $firstAs: (status: string) => `Recorded as ${status}`,
  $thenAs: (status: string) => `Then as ${status}`,
  $changeNumber: (sequence: string) => `change ${sequence}`,
  $changesFailed: (title: string) => `The changes could not be loaded: ${title}`,
  $loadChanges: 'Load the changes again',

  $related: 'Related transactions',
  $relatedFailed: (title: string) => `The related transactions could not be loaded: ${title}`,
  $loadRelated: 'Load the related transactions again',
  $relatedOldest: 'Related transactions, oldest first',
  $paymentUnknown: (reference: ComponentChild) => ['The payment ', reference, ' is not recorded.'],
  $newestOfPayment: (count: number) => `These are the newest ${count} of the payment. `,
  $newestOfOrder: (count: number) => `These are the newest ${count} of the order. `,
  $showOrder: 'Show all of the order in the list',
  $thisOne: 'this one',
  $sumOf: (count: string) => `${count}:`,
  $sumLabel: 'Sum of these transactions',
  $refundedOf: (refunded: string, left: string, all: string) =>
    `${refunded} refunded, ${left} left of ${all}`,
  $deductedOf: (deducted: string, left: string, all: string) =>
    `${deducted} deducted, ${left} left of ${all}`,
  $leftWithout: {
    one: 'not counted: unpaid, in another currency or with the same sign',
    other: 'not counted: unpaid, in another currency or with the same sign',
  } as Forms,

  $saveAs: (format: string) => `Save as ${format}`,
  $csvForPrograms: 'For your spreadsheet, choose Excel: CSV has decimal points.',
  $csvFile: 'CSV file',
  $excelFile: 'Excel file',
  $loadingCsv: 'Loading the CSV file',
  $loadingExcel: 'Loading the Excel file',
  $waitingForService: 'waiting for the service',
  $startedAgain: (restart: number, most: number) =>
    `The connection was lost. Starting again from the beginning (${restart} of ${most}).`,
  $progress: (what: string, progress: string) => `${what}: ${progress}`,
  $soFarOf: (count: string) => `${count} so far`,
  $archivedBefore: (day: string) =>
    `Transactions that were created before ${day} are archived and not included. The operator of the service has them.`,
  $cancel: 'Cancel',
  $showDetails: 'Details',
  $saved: 'Complete file saved, verified',
  $savedAs: (name: string) => `Complete file saved, verified: ${name}`,
  $inFile: (count: string, name: ComponentChild, minute: string) => [`${count} in `, name, `, at ${minute}`],
  $sameBytes:
    'Nothing is missing and nothing was changed: all bytes and all sums match those of the service.',
  $sameRows: 'Nothing is missing and nothing was changed: all rows and all sums match those of the service.',
  $totalsSheetHas:
    'The sheet \u201cTotals\u201d has the account, the filters and the sums, and the sheet \u201cBy day\u201d has the sums of each day.',
  $leftIs: 'The remaining amount of each payment counts its refunds up to the end of the download.',
  $checksum: 'Checksum',
  $checksumOfExport: 'Checksum of the export',
  $theChecksum: 'the checksum of the file',
  $theChecksumOfExport: 'the checksum of the export',
  $inTheFile: 'In the file',
  $startAgain: 'Start again',
  $cancelled: 'Cancelled: nothing was saved',
  $notSaved: (title: string) => `Nothing was saved: ${title}`,
  $tooManyRows: 'More transactions than a spreadsheet has rows',
  $tooManyRowsText: (rows: string | null, most: string) =>
    `${rows === null ? 'There are more than' : `There are ${rows}, and a sheet has room for`} ${most}. Save them as CSV, or choose fewer days.`,
  $fileDiffers: 'The file differs from what the service exported',
};
