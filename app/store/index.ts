export type { StartQuery } from './query/answer.ts'
export { forkQuery } from './query/fork.ts'
export { openQueries } from './query/queries.ts'
export { openStore, type Store } from './store.ts'
