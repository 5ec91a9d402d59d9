// The data sets that a notebook can name, by what they hold. A new one is a line in the table of its folder.
export { cifar, folder, glyphs, idx, shapes, textures } from './images/index.ts'
export { pointFiles, solids } from './points/index.ts'
export { mnli, squad, sst2, textFiles, tsv, world } from './text/index.ts'
