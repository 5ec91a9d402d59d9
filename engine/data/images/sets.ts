// The data sets of images. A new one is its file and a line here.
export { cifar } from './cifar.ts'
export { folder } from './folder.ts'
export { glyphs } from './glyphs.ts'
export { idx } from './idx.ts'
export { shapes } from './shapes.ts'
export { textures } from './textures.ts'
