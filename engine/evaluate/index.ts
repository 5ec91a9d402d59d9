// The evaluators. A new one is one file and one line here.
export { topK } from './topK.ts'
