// The data sets of named parts. A new one is one file and one line here.
export { discs } from './discs.ts'
