import { describe, expect, it } from 'vitest'
import { compare, gmlp, image, metric, mixer, shapes } from '../../../../engine/index.ts'
import type { StudySpec } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const studyWith = (margin: unknown, more: Partial<StudySpec> = {}) =>
  compare('s', {
    task: image({ data: shapes({ train: 64, test: 20 }) }),
    variants: { gmlp: gmlp(), mixer: mixer() },
    seeds: 1,
    margin: margin as number,
    ...more,
  })
const designed = async (...given: Parameters<typeof studyWith>) =>
  (await openStudy(studyWith(...given), {}, memoryFiles({}))).design
const refused = async (...given: Parameters<typeof studyWith>) =>
  designed(...given).then(
    () => null,
    (error: Error) => error.message,
  )

describe('a margin', () => {
  it.each([0, -0.01, Number.NaN, Infinity, '1 point', null])('is a number above 0: %s', (margin) => {
    expect(() => studyWith(margin)).toThrow(/^s\.margin: .*, expected a number above 0, in the unit of the metric$/)
  })

  it('is in the unit of the metric', async () => {
    expect(await refused(1)).toBe('s.margin: 1, expected less than 1, for test/accuracy is a share; 1 point is 0.01')
    const own = metric('gap', { better: 'lower' }, () => ({ add() {}, value: () => 0 }))
    expect(await refused(0.1, { metrics: [own], metric: 'gap' })).toBe(
      's.margin: 0.1 of what? test/gap has no unit; compare by a metric that has one',
    )
    expect(await refused(2, { metric: 'loss' })).toBeNull()
  })

  it('is of several variants', async () => {
    expect(await refused(0.01, { variants: { gmlp: gmlp() } })).toBe(
      's.margin: 0.01, but there is one variant, and nothing to compare it with',
    )
  })

  it('is part of the plan and of no run', async () => {
    const [planned, without] = [await designed(0.01), await designed(undefined)]
    expect(planned).toMatchObject({ margin: 0.01 })
    expect('margin' in without || 'correction' in without || 'correction' in planned).toBe(false)
    expect(planned.runs).toEqual(without.runs)
  })

  it('has the questions of a study tested together', async () => {
    const spec = { questions: [{ ask: 'pairs' }] }
    expect(await designed(0.01, spec)).toMatchObject({ margin: 0.01, correction: 'holm' })
    expect('correction' in (await designed(undefined, spec))).toBe(false)
  })
})
