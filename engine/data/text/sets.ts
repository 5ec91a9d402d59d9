// The data sets of texts. A new one is its file, a line here, and one in the table of what it holds in index.ts.
export { squad } from './squad.ts'
export { textFiles } from './text-files.ts'
export { mnli, sst2, tsv } from './tsv.ts'
export { world } from './world/world.ts'
