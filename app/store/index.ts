export { openStore, type Store } from './store.ts'
export { higherIsBetter } from './summary.ts'
