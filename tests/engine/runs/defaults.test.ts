import { expect, it } from 'vitest'
import { defaultColumns } from '../../../engine/runs/defaults.ts'
import { FIELDS } from './samples.ts'

const metricsIn = (metrics: string[]) =>
  defaultColumns({ ...FIELDS, metrics }, false).filter((name) => name.includes('/'))

it('has the metrics that studies compare, whatever they are called', () => {
  expect(metricsIn(['test/accuracy', 'test/iou', 'test/loss', 'test/macro_recall'])).toEqual([
    'test/accuracy',
    'test/macro_recall',
  ])
  expect(metricsIn(['test/iou', 'train/loss'])).toEqual(['test/iou'])
  expect(metricsIn(['chosen/step', 'test/iou', 'train/loss'])).toEqual(['test/iou'])
  expect(metricsIn([])).toEqual([])
  expect(defaultColumns(FIELDS, true).slice(0, 4)).toEqual(['study', 'variant', 'seed', 'test/accuracy'])
})
