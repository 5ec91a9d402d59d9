import { expect, it } from 'vitest'
import { defaultColumns } from '../../../engine/runs/defaults.ts'
import { FIELDS } from './samples.ts'

const metricsIn = (metrics: string[]) =>
  defaultColumns({ ...FIELDS, metrics }, false).filter((name) => name.includes('/'))

it('has the metrics that studies compare, whatever they are called', () => {
  expect(metricsIn(['eval/accuracy', 'eval/iou', 'eval/loss', 'eval/macro_recall'])).toEqual([
    'eval/accuracy',
    'eval/macro_recall',
  ])
  expect(metricsIn(['eval/iou', 'train/loss'])).toEqual(['eval/iou'])
  expect(metricsIn([])).toEqual([])
  expect(defaultColumns(FIELDS, true).slice(0, 4)).toEqual(['study', 'variant', 'seed', 'eval/accuracy'])
})
