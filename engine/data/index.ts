// The data sets that a notebook can name, by what they hold.
export * from './fields/sets.ts'
export * from './images/sets.ts'
export * from './points/sets.ts'
export * from './text/sets.ts'
