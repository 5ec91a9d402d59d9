// The data sets that a notebook can name, by what they hold. A new one is a line in the table of its folder.
export { folder, idx, shapes } from './images/index.ts'
