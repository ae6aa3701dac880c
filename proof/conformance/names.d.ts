/** The kit's comments use these types without importing them. */

type AccountClient = import('./src/account-client.js').AccountClient;
type Context = import('./src/context.js').Context;
type Exchange = import('./src/exchange.js').Exchange;
type Filter = import('./src/transaction.js').Filter;
type OwnAccount = import('./src/operator.js').OwnAccount;
type PagesRead = import('./src/page-through.js').PagesRead;
type Query = import('./src/account-client.js').Query;
type RequestOptions = import('./src/account-client.js').RequestOptions;
type Total = import('./src/sums.js').Total;
type Transaction = import('./src/transaction.js').Transaction;

type CheckInfo = import('./index.js').CheckInfo;
type CheckResult = import('./index.js').CheckResult;
type Level = import('./index.js').Level;
type Options = import('./index.js').Options;
type Report = import('./index.js').Report;
