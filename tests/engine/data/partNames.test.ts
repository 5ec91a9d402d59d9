import { expect, it } from 'vitest'
import { partNamed } from '../../../engine/data/partNames.ts'

it.each([
  [
    'train',
    [
      'train',
      'Train',
      'TRAINING',
      'training_set',
      'trainset',
      'TrainImages',
      'train-data',
      'seg_train',
      'train2017',
      '01_train',
      'train (1)',
      'trn',
    ],
  ],
  ['validation', ['val', 'Valid', 'VALIDATION', 'dev', 'val_images', 'valset', 'validation split', 'val2017']],
  [
    'test',
    ['test', 'Testing', 'TEST', 'test_set', 'testData', 'eval', 'evaluation', 'wiki.test', 'hold-out'.replace('-', '')],
  ],
] as const)('knows the names of the %s part', (part, names) => {
  expect(names.map(partNamed)).toEqual(names.map(() => part))
})

it('takes other names for none', () => {
  const names = [
    'trains',
    'contest',
    'test_a',
    'train station',
    'value',
    'devil',
    'train1',
    '1',
    'x_train',
    'testament',
    'set',
    'data',
    '2017',
    '',
    'latest',
  ]
  expect(names.filter((name) => partNamed(name) !== null)).toEqual([])
})
