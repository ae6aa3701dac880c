/** What a fault changes in a file of a store, and the test of its contract that fails. */
export type Change = [name: string, file: string, from: string, to: string, test: string];
