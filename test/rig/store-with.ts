import type { Store } from '../../src/core/store.ts';

/** A store whose methods are the given ones, and otherwise those of another store. */
export function storeWith(store: Store, methods: Partial<Store>): Store {
  return {
    listTransactions: (query, limit) => store.listTransactions(query, limit),
    retrieveTransaction: (account, reference) => store.retrieveTransaction(account, reference),
    recordTransactions: (transactions) => store.recordTransactions(transactions),
    recordHeld: (transaction) => store.recordHeld(transaction),
    recordOnce: (transaction, once) => store.recordOnce(transaction, once),
    listChanges: (query) => store.listChanges(query),
    readHeads: (accounts) => store.readHeads(accounts),
    numberTransactions: () => store.numberTransactions(),
    readRollUp: (query) => store.readRollUp(query),
    sumChanges: (account, after, upTo) => store.sumChanges(account, after, upTo),
    hasUnnumbered: (account) => store.hasUnnumbered(account),
    listUnfolded: (afterAccount, limit) => store.listUnfolded(afterAccount, limit),
    fold: (account, from, upTo, sums) => store.fold(account, from, upTo, sums),
    listNumbered: (query, limit) => store.listNumbered(query, limit),
    ...(store.listsOnThisThread !== undefined && { listsOnThisThread: store.listsOnThisThread }),
    sumListed: (account, filter, asOf) => store.sumListed(account, filter, asOf),
    createExport: (created, expiredMs) => store.createExport(created, expiredMs),
    findExport: (account, id) => store.findExport(account, id),
    replaceExport: (replaced, attempt) => store.replaceExport(replaced, attempt),
    createApiKey: (key) => store.createApiKey(key),
    findApiKey: (hash) => store.findApiKey(hash),
    listApiKeys: (account) => store.listApiKeys(account),
    revokeApiKey: (id, nowMs) => store.revokeApiKey(id, nowMs),
    rollApiKey: (roll) => store.rollApiKey(roll),
    listKeyEnds: () => store.listKeyEnds(),
    touchApiKeys: (uses) => store.touchApiKeys(uses),
    openImport: () => store.openImport(),
    storeCursorSecret: (proposed) => store.storeCursorSecret(proposed),
    ping: () => store.ping(),
    connectionUse: () => store.connectionUse(),
    close: () => store.close(),
    ...methods,
  };
}
