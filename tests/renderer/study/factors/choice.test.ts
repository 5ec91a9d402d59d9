import { describe, expect, it } from 'vitest'
import type { Crossing, Level } from '../../../../engine/study/design/crossing.ts'
import { axesOf, chartsOf, choiceOf, linesOf } from '../../../../renderer/study/factors/choice.ts'

const crossed = (factors: Record<string, Level[]>): Crossing => ({
  factors: Object.entries(factors).map(([name, levels]) => ({ name, levels })),
  levels: new Map(),
  others: [],
})
const rates = crossed({ lr: [1, 2] })
const gates = crossed({ gate: ['a', 'b'] })
const both = crossed({ lr: [1, 2], gate: ['a', 'b'] })
const three = crossed({ lr: [1, 2], gate: ['a', 'b'], norm: ['x', 'y'] })
const large = crossed({ lr: [1, 2], batch: [1, 2, 3, 4], gate: ['a', 'b'] })

describe('the charts of factors', () => {
  it.each([
    [rates, ['numeric']],
    [gates, []],
    [both, ['numeric', 'grid', 'interaction']],
    [crossed({ gate: ['a', 'b'], norm: ['x', 'y'] }), ['grid', 'interaction']],
  ])('are those that a study has the factors for, %#', (crossing, charts) => {
    expect(chartsOf(crossing)).toEqual(charts)
  })

  it('have numbers, or any factor, along the x axis', () => {
    expect(axesOf('numeric', both)).toEqual(['lr'])
    expect(axesOf('grid', both)).toEqual(['lr', 'gate'])
    expect(axesOf('interaction', both)).toEqual(['gate', 'lr'])
  })

  it('have lines of the other factors, alone or together', () => {
    expect(linesOf('numeric', 'lr', rates)).toEqual([[]])
    expect(linesOf('numeric', 'lr', both)).toEqual([['gate'], []])
    expect(linesOf('numeric', 'lr', three)).toEqual([['gate', 'norm'], ['gate'], ['norm'], []])
    expect(linesOf('numeric', 'lr', large)).toEqual([['batch'], ['gate'], ['batch', 'gate'], []])
    expect(linesOf('grid', 'gate', three)).toEqual([['lr'], ['norm']])
    expect(linesOf('interaction', 'gate', three)).toEqual([['lr'], ['norm'], ['lr', 'norm']])
  })
})

describe('choiceOf', () => {
  it('begins with what a study has', () => {
    expect(choiceOf(null, both)).toEqual({ chart: 'numeric', x: 'lr', lines: ['gate'], spread: 'sd' })
    expect(choiceOf({ chart: 'interaction' }, both)).toEqual({
      ...{ chart: 'interaction', x: 'gate', lines: ['lr'], spread: 'interval' },
    })
    expect(choiceOf(null, gates)).toBeNull()
  })

  it('keeps what was chosen as far as there is such', () => {
    const kept = { chart: 'grid', x: 'gate', lines: ['lr'], spread: 'interval' }
    expect(choiceOf(kept, both)).toEqual(kept)
    expect(choiceOf(kept, rates)).toEqual({ chart: 'numeric', x: 'lr', lines: [], spread: 'interval' })
    expect(choiceOf({ ...kept, x: 'lr' }, both)).toMatchObject({ x: 'lr', lines: ['gate'] })
    for (const damaged of ['grid', 3, { chart: 5, x: {}, lines: 'lr', spread: [] }]) {
      expect(choiceOf(damaged, both)).toEqual(choiceOf(null, both))
    }
  })
})
