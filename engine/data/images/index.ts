import { catalogued } from '../catalogue/index.ts'
import { datasetTable } from '../table.ts'
import type { ImageDataset } from '../types.ts'
import { imageForm } from './form.ts'
import * as sets from './sets.ts'

export * from './sets.ts'

/** What the labels of Fashion-MNIST stand for. */
const FASHION = [
  'T-shirt/top',
  'Trouser',
  'Pullover',
  'Dress',
  'Coat',
  'Sandal',
  'Shirt',
  'Sneaker',
  'Bag',
  'Ankle boot',
]

/** The data sets of images by name. */
export const imageData = datasetTable<ImageDataset>(
  [
    ...Object.values(sets).map(({ kind }) => kind),
    catalogued('mnist', sets.idx.kind),
    catalogued('fashion-mnist', sets.idx.kind, { classes: FASHION }),
    catalogued('cifar-10', sets.cifar.kind),
    catalogued('cifar-100', sets.cifar.kind),
  ],
  imageForm,
)
