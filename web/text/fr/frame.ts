import type { frame as English } from '../en/frame.ts';

export const frame: typeof English = {
  $transactions: 'Transactions',
  $allTransactions: 'Toutes les transactions',
  $transaction: { one: 'transaction', other: 'transactions', many: 'de transactions' },
  $change: { one: 'modification', other: 'modifications', many: 'de modifications' },

  $skipToContent: 'Aller au contenu',
  $skipToList: 'Aller à la liste',
  $skipToPages: 'Aller aux pages',
  $screens: 'Écrans',
  $service: 'Service',
  $webhooks: 'Webhooks',
  $fails: { one: ' en échec', other: ' en échec' },
  $language: 'Langue',
  $help: 'Aide (en anglais)',
  $account: 'Compte',
  $accountOf: (account) => `Compte ${account}`,
  $until: (minute) => `, jusqu’à ${minute}`,
  $find:
    'Trouver des transactions par une partie d’une référence ou d’une information, un montant, un jour ou un lien',
  $findExample: 'Commande, client, montant, jour',
  $keyInSearch:
    'Ceci est une clé ou un lien de connexion, pas une référence. Rien n’a été envoyé. Pour utiliser une clé, déconnectez-vous, puis connectez-vous avec elle.',

  $copy: 'Copier',
  $copied: 'Copié',
  $copyOf: (name) => `Copier ${name}`,
  $copiedOf: (name) => `Copié : ${name}`,
  $notCopied: (name) => `Le navigateur n’a pas permis de copier ${name}`,
  $loading: 'Chargement\u2026',
  $tryAgain: 'Réessayer',
  $close: 'Fermer',
  $none: 'Aucune',

  $signIn: 'Se connecter',
  $signInAt: (platform) => `Se connecter sur ${platform}`,
  $signingIn: 'Connexion\u2026',
  $signOut: 'Déconnexion',
  $lead:
    'Consultez, filtrez et retrouvez les transactions de votre compte, et enregistrez-les dans un fichier CSV ou Excel.',
  $apiKey: 'Clé d’API',
  $keyHelp: (hours) =>
    `Vous restez connecté jusqu’à ce que vous vous déconnectiez, fermiez tous les onglets de cette page ou ne l’utilisiez pas pendant ${hours} heures. Si vous n’avez pas de clé, demandez-en une à l’exploitant du service.`,
  $notKey: {
    title: 'Ceci n’est pas une clé d’API',
    detail:
      'Une clé d’API compte 44 caractères, sans espace, et commence par tk_live_. Copiez la clé entière et réessayez.',
  },
  $show: 'Afficher',
  $hide: 'Masquer',
  $showKey: 'Afficher la clé',
  $hideKey: 'Masquer la clé',
  $linkShows: (what) => ['Ce lien montre ', what, '.'],
  $linkTransaction: (reference) => ['la transaction ', reference],
  $linkSearch: (text) => ['une recherche de ', text],
  $linkFiltered: (filter) => ['des transactions : ', filter],
  $linkList: 'des transactions',
  $linkWebhooks: 'les webhooks',
  $linkAccount: (account) => [' Il concerne le compte ', account, ' : connectez-vous à ce compte.'],

  $clockIsWrong: (age, isFast) =>
    `L’horloge de cet appareil ${isFast ? 'avance' : 'retarde'} de ${age}. Cette page suit celle du service.`,
  $yourPlatform: 'votre plateforme',
  $endsAt: (minute) => `Votre session se termine à ${minute}. `,
  $openAgain: 'Pour continuer, rouvrez la page depuis votre plateforme.',
  $signInAgain: (link, platform) => [link(`Reconnectez-vous sur ${platform}`), ' pour continuer.'],
  $sessionExpired: (platform) => ({
    title: 'Votre session est terminée',
    detail: `Une session dure quelques heures. Rouvrez la page depuis ${platform} : vous reprendrez où vous en étiez.`,
  }),
  $sessionEnded: (platform) => ({
    title: 'Votre session a été fermée',
    detail: `Elle a été fermée avant son terme, sur ${platform} ou par une déconnexion. Rouvrez la page depuis ${platform} : vous reprendrez où vous en étiez.`,
  }),
  $signedOutBecause: (title) => `Vous avez été déconnecté : ${title}`,
  $keyExpired: (account, time) => ({
    title: 'Vous avez été déconnecté : la clé d’API a expiré',
    detail: `La clé du compte ${account} était valable jusqu’au ${time} UTC. Demandez-en une nouvelle à l’exploitant du service.`,
  }),
  $keyRefused: (account) => ({
    title: 'Vous avez été déconnecté : la clé d’API a été révoquée ou remplacée',
    detail: `La clé du compte ${account} était acceptée jusqu’ici. Demandez-en une nouvelle à l’exploitant du service.`,
  }),
  $signedOutIdle: (hours) => ({
    title: 'Vous avez été déconnecté : la page n’a pas été utilisée',
    detail: `Elle n’a pas été utilisée pendant ${hours} heures.`,
  }),
  $signedOutElsewhere: {
    title: 'Vous avez été déconnecté : déconnexion dans un autre onglet',
    detail:
      'La déconnexion ferme la session dans tous les onglets. Reconnectez-vous pour continuer dans celui-ci.',
  },
  $signingOut: {
    title: 'Déconnexion\u2026',
    detail: 'Ce navigateur a oublié la session. Le service est en train de la fermer.',
  },
  $signedOut: {
    title: 'Vous êtes déconnecté',
    detail: 'La session est terminée, dans ce navigateur et dans le service.',
  },
  $signOutFailed: (end) => ({
    title: 'Déconnecté ici, mais pas dans le service',
    detail: `Le service n’a pas répondu. Ce navigateur a oublié la session ; une copie de celle-ci fonctionnerait jusqu’à ${end ?? 'sa fin'}.`,
  }),
  $linkRefused: (platform) => ({
    title: 'Ce lien n’est plus utilisable',
    detail: `Il ne sert qu’une fois, dans la minute de sa création. Rouvrez-le sur ${platform}, qui en crée un nouveau.`,
  }),
  $linkFailed: (detail, platform) =>
    `${detail} Rouvrez ensuite le lien sur ${platform} : chacun ne sert qu’une fois.`,

  $otherAccount: 'Lien d’un autre compte',
  $otherAccountTitle: 'Ce lien concerne un autre compte',
  $otherAccountText: (linked, account) => [
    'Le lien concerne le compte ',
    linked,
    ', et vous êtes connecté au compte ',
    account,
    '. Rien n’a été chargé. Pour suivre le lien, connectez-vous à son compte.',
  ],
  $signInOther: 'Se connecter à l’autre compte',
  $showSameFor: (account) => `Afficher la même chose pour ${account}`,

  $misspeltLink: 'Lien erroné',
  $misspeltTitle: 'Ce lien contient une erreur',
  $misspeltText:
    'Rien n’a été chargé, car un lien erroné pourrait montrer une autre liste. Corrigez le lien ou utilisez un bouton ci-dessous.',
  $showWebhooks: 'Afficher les webhooks',
  $findText: (text) => `Rechercher ${text}`,
  $showTransaction: (reference) => `Afficher la transaction ${reference}`,
  $showList: (filter) => `Afficher : ${filter}`,
  $belongsAfter: (path) => `se place après ${path}? dans l’adresse.`,
  $notTimeZone: 'doit être un fuseau horaire, par exemple Europe/Paris ou UTC.',
  $noValue: 'n’a pas de valeur : ajoutez-en une ou supprimez-le.',
  $isTwice: 'figure deux fois dans l’adresse : supprimez-en un.',
  $notBy: (value) => `ne peut être que ${value} : supprimez-le.`,
  $notFilter: (filters) => `n’est pas un filtre. Les filtres sont ${filters}.`,
  $notFilterButNear: (meant) => `n’est pas un filtre. Vouliez-vous dire ${meant} ?`,
  $noFiltersHere: 'n’a pas sa place dans cette adresse : seule la liste a des filtres. Supprimez-le.',
  $notAddressButNear: (meant) => `n’est pas une adresse de cette page. Vouliez-vous dire ${meant} ?`,
  $notAddress: (list, webhooks) =>
    `n’est pas une adresse de cette page. La liste est à ${list}, une transaction à ${list}/ suivi de son ID de paiement, et les webhooks sont à ${webhooks}.`,

  $noRead: (isSession) =>
    `${isSession ? 'Votre session' : 'Cette clé'} ne permet pas d’afficher les transactions`,
  $noReadText: (scope) => [
    'La clé est valable, mais elle ne permet pas de lire les transactions, et les droits d’une clé ne peuvent pas changer. Demandez à l’exploitant du service une clé avec l’autorisation ',
    scope,
    ', et connectez-vous avec elle.',
  ],
  $noReadSession: (scope, platform) => [
    `Votre session ne permet pas de lire les transactions. Demandez à l’exploitant de ${platform} une session avec l’autorisation `,
    scope,
    '.',
  ],
  $noReadWebhooks:
    'La page peut montrer les points de terminaison des webhooks du compte et ce qui n’a pas pu leur être livré. Vous pouvez envoyer des tests, relancer des livraisons et réactiver des points de terminaison.',
  $noReadNothing: 'La page ne peut rien vous montrer.',

  $timedOut: {
    title: 'Le service n’a pas répondu à temps',
    detail: 'Le service est peut-être surchargé.',
  },
  $unreachable: {
    title: 'Le service est injoignable',
    detail:
      'Vérifiez votre connexion au réseau. Si d’autres sites fonctionnent, le service est peut-être en train de redémarrer.',
  },
  $offline: {
    title: 'Cet appareil est hors ligne',
    detail: 'Vérifiez la connexion au réseau de cet appareil.',
  },
  $unreadable: {
    title: 'La réponse n’a pas pu être lue',
    detail: 'La réponse ne vient pas de ce service.',
  },
  $partFailed: {
    title: 'Cette partie de la page n’a pas pu être chargée',
    detail: 'Le service a peut-être été mis à jour depuis que vous avez ouvert la page.',
  },
  $loadPage: 'Recharger la page',
  $whatThisMeans: 'Ce que cela signifie (en anglais)',
  $requestId: 'ID de requête',
  $nameRequestId: 'l’ID de requête',
  $retries: 'La page réessaie automatiquement',
  $retriesIn: (seconds) => ` dans ${seconds} s.`,
  $retriesNow: ' : essai en cours\u2026',
  $slow: 'Le service n’a pas encore répondu. La page continue d’attendre.',
};
