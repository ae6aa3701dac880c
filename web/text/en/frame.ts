import type { ComponentChild } from 'preact';
import type { Forms } from '../count.ts';

export const frame = {
  $transactions: 'Transactions',
  $allTransactions: 'All transactions',
  $transaction: { one: 'transaction', other: 'transactions' } as Forms,
  $change: { one: 'change', other: 'changes' } as Forms,

  $skipToContent: 'Skip to the content',
  $skipToList: 'Skip to the list',
  $skipToPages: 'Skip to the pages',
  $screens: 'Screens',
  $service: 'Service',
  $webhooks: 'Webhooks',
  $fails: { one: ' fails', other: ' fail' } as Forms,
  $language: 'Language',
  $help: 'Help',
  $account: 'Account',
  $accountOf: (account: string) => `Account ${account}`,
  $until: (minute: string) => `, until ${minute}`,
  $find: 'Find transactions by a part of a reference or a detail, an amount, a day, or a link',
  $findExample: 'Order, customer, amount or day',
  $keyInSearch:
    'This is a key or a link to sign in, not a reference. Nothing was sent. To use a key, sign out and sign in with it.',

  $copy: 'Copy',
  $copied: 'Copied',
  $copyOf: (name: string) => `Copy ${name}`,
  $copiedOf: (name: string) => `Copied ${name}`,
  $notCopied: (name: string) => `The browser did not allow copying ${name}`,
  $loading: 'Loading\u2026',
  $tryAgain: 'Try again',
  $close: 'Close',
  $none: 'None',

  $signIn: 'Sign in',
  $signInAt: (platform: string) => `Sign in at ${platform}`,
  $signingIn: 'Signing in\u2026',
  $signOut: 'Sign out',
  $lead: 'See, filter and find the transactions of your account, and save them as a CSV or Excel file.',
  $apiKey: 'API key',
  $keyHelp: (hours: number) =>
    `You stay signed in until you sign out, close all tabs of this page, or do not use it for ${hours} hours. If you have no key, ask the operator of the service for one.`,
  $notKey: {
    title: 'This is not an API key',
    detail:
      'An API key has 44 characters, no spaces, and begins with tk_live_. Copy the whole key and try again.',
  },
  $show: 'Show',
  $hide: 'Hide',
  $showKey: 'Show the key',
  $hideKey: 'Hide the key',
  $linkShows: (what: ComponentChild) => ['This link shows ', what, '.'],
  $linkTransaction: (reference: ComponentChild) => ['the transaction ', reference],
  $linkSearch: (text: ComponentChild) => ['a search for ', text],
  $linkFiltered: (filter: ComponentChild) => ['transactions: ', filter],
  $linkList: 'transactions',
  $linkWebhooks: 'webhooks',
  $linkAccount: (account: ComponentChild) => [
    ' It belongs to account ',
    account,
    ': sign in to that account.',
  ],

  $clockIsWrong: (age: string, isFast: boolean) =>
    `The clock of this device is ${age} ${isFast ? 'fast' : 'slow'}. This page uses the clock of the service.`,
  $yourPlatform: 'your platform',
  $endsAt: (minute: string) => `Your session ends at ${minute}. `,
  $openAgain: 'To continue, open the page again from your platform.',
  $signInAgain: (link: (label: string) => ComponentChild, platform: string) => [
    link(`Sign in again at ${platform}`),
    ' to continue.',
  ],
  $sessionExpired: (platform: string) => ({
    title: 'Your session has ended',
    detail: `A session lasts a few hours. Open the page again at ${platform}: you continue where you were.`,
  }),
  $sessionEnded: (platform: string) => ({
    title: 'Your session was ended',
    detail: `It was ended early, at ${platform} or by a sign-out. Open the page again at ${platform}: you continue where you were.`,
  }),
  $signedOutBecause: (title: string) => `You were signed out: ${title}`,
  $keyExpired: (account: string, time: string) => ({
    title: 'You were signed out: The API key has expired',
    detail: `The key of the account ${account} ended at ${time} UTC. Ask the operator of the service for a new one.`,
  }),
  $keyRefused: (account: string) => ({
    title: 'You were signed out: The API key was revoked or replaced',
    detail: `The service accepted this key of the account ${account} until now. Ask the operator of the service for a new one.`,
  }),
  $signedOutIdle: (hours: number) => ({
    title: 'You were signed out: The page was not used',
    detail: `Nobody used it for ${hours} hours.`,
  }),
  $signedOutElsewhere: {
    title: 'You were signed out: Signed out in another tab',
    detail: 'Signing out ends the session in all tabs. Sign in again to continue here.',
  },
  $signingOut: {
    title: 'Signing out\u2026',
    detail: 'This browser has forgotten the session. The service is ending it.',
  },
  $signedOut: {
    title: 'You are signed out',
    detail: 'The session has ended, in this browser and on the service.',
  },
  $signOutFailed: (end: string | null) => ({
    title: 'Signed out here, but not on the service',
    detail: `The service did not answer. This browser has forgotten the session; a copy of it would work until ${end ?? 'it ends'}.`,
  }),
  $linkRefused: (platform: string) => ({
    title: 'This link cannot be used any more',
    detail: `It works once, within a minute of being made. Open the link again at ${platform}, which creates a new one.`,
  }),
  $linkFailed: (detail: string, platform: string) =>
    `${detail} Then open the link again at ${platform}: each link works only once.`,

  $otherAccount: 'Link of another account',
  $otherAccountTitle: 'This link belongs to another account',
  $otherAccountText: (linked: ComponentChild, account: ComponentChild) => [
    'The link belongs to account ',
    linked,
    ', and you are signed in to account ',
    account,
    '. Nothing was loaded. To follow the link, sign in to its account.',
  ],
  $signInOther: 'Sign in to the other account',
  $showSameFor: (account: string) => `Show the same for ${account}`,

  $misspeltLink: 'Misspelt link',
  $misspeltTitle: 'This link is misspelt',
  $misspeltText:
    'Nothing was loaded, because a misspelt link could show the wrong list. Correct the link, or use a button below.',
  $showWebhooks: 'Show the webhooks',
  $findText: (text: string) => `Find ${text}`,
  $showTransaction: (reference: string) => `Show transaction ${reference}`,
  $showList: (filter: string) => `Show ${filter}`,
  $belongsAfter: (path: string) => `belongs after ${path}? in the address.`,
  $notTimeZone: 'has to be a time zone, such as Europe/Berlin or UTC.',
  $noValue: 'has no value: add one, or remove it.',
  $isTwice: 'is in the address twice: remove one.',
  $notBy: (value: string) => `has to be ${value}: remove it.`,
  $notFilter: (filters: string) => `is not a filter. The filters are ${filters}.`,
  $notFilterButNear: (meant: string) => `is not a filter. Did you mean ${meant}?`,
  $noFiltersHere: 'does not belong in this address: only the list has filters. Remove it.',
  $notAddressButNear: (meant: string) => `is not an address of this page. Did you mean ${meant}?`,
  $notAddress: (list: string, webhooks: string) =>
    `is not an address of this page. The list is at ${list}, a transaction is at ${list}/ followed by its reference, and webhooks are at ${webhooks}.`,

  $noRead: (isSession: boolean) => `${isSession ? 'Your session' : 'This key'} cannot show transactions`,
  $noReadText: (scope: ComponentChild) => [
    'The key is valid, but it does not allow reading transactions, and the scopes of a key cannot be changed. Ask the operator of the service for a key with the scope ',
    scope,
    ', and sign in with it.',
  ],
  $noReadSession: (scope: ComponentChild, platform: string) => [
    `Your session does not allow reading transactions. Ask the operator of ${platform} for a session with the scope `,
    scope,
    '.',
  ],
  $noReadWebhooks:
    'This page can show the webhook endpoints of the account and what could not be delivered to them. You can send tests, retry failures, and enable endpoints again.',
  $noReadNothing: 'There is nothing that this page can show you.',

  $timedOut: { title: 'The service did not answer in time', detail: 'The service may be busy.' },
  $unreachable: {
    title: 'The service cannot be reached',
    detail: 'Check your network connection. If other websites work, the service may be restarting.',
  },
  $offline: {
    title: 'This device is offline',
    detail: 'Check the network connection of this device.',
  },
  $unreadable: {
    title: 'The response could not be read',
    detail: 'The response did not come from this service.',
  },
  $partFailed: {
    title: 'This part of the page could not be loaded',
    detail: 'The service may have been updated since you opened the page.',
  },
  $loadPage: 'Load the page again',
  $whatThisMeans: 'What this means',
  $requestId: 'Request id',
  $nameRequestId: 'request id',
  $retries: 'The page tries again automatically',
  $retriesIn: (seconds: number) => ` in ${seconds} s.`,
  $retriesNow: ': trying now\u2026',
  $slow: 'The service has not answered yet. The page is still waiting.',
};
