// The data sets that a notebook can name, by what they hold.
export * from './fields/sets.ts'
export * from './images/sets.ts'
export { dataset } from './own/dataset.ts'
export * from './points/sets.ts'
export * from './scenes/sets.ts'
export * from './series/sets.ts'
export * from './text/sets.ts'
export * from './transforms/sets.ts'
