import { describe, expect, it } from 'vitest'
import { levelAxis, numberAxis } from '../../../../engine/charts/factors/axis.ts'
import { style } from '../style.ts'

describe('numberAxis', () => {
  it('is marked at the levels while these are few', () => {
    const few = numberAxis({ name: 'lr', levels: [1e-3, 3e-3, 1e-2] }, style)
    expect(few).toMatchObject({ type: 'log', tickvals: [1e-3, 3e-3, 1e-2], ticktext: ['0.001', '0.003', '0.01'] })
    expect(numberAxis({ name: 'depth', levels: [1, 2, 3] }, style)).not.toHaveProperty('type')
    const many = Array.from({ length: 10 }, (_, i) => 2 ** i)
    expect(numberAxis({ name: 'batch', levels: many }, style)).toMatchObject({ type: 'log', dtick: Math.log10(2) })
    expect(numberAxis({ name: 'batch', levels: many }, style)).not.toHaveProperty('tickvals')
  })
})

describe('levelAxis', () => {
  it('shortens what does not fit', () => {
    const name = 'a rather long name of a gate, with an end'
    const levels = [name, true, 3]
    expect(levelAxis({ name: 'gate', levels }, style)).toMatchObject({
      tickvals: [0, 1, 2],
      ticktext: ['a rather long n…h an end', 'true', '3'],
    })
    const text = (most: number) => levelAxis({ name: 'gate', levels }, style, most).ticktext
    expect(text(name.length)).toEqual([name, 'true', '3'])
    expect(text(10)).toEqual(['a rath…end', 'true', '3'])
  })
})
