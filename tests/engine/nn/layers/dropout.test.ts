import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { vit } from '../../../../engine/models/index.ts'
import { type DropoutRates, dropout } from '../../../../engine/nn/layers/dropout.ts'
import { type Pass, runInPass } from '../../../../engine/nn/scope.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'
import { smallBatch, smallModel } from '../../compile/models.ts'

const SHAPE = [20, 5, 20]

/** What dropout makes of ones, once or several times in one model. */
function dropped(rate: number, pass: Partial<Pass> = {}, times = 1): number[][] {
  const all: Pass = { parameters: new Map(), seed: 1, create: null, training: true, step: 0, dropPath: 0, ...pass }
  const once = () => [...dropout(tf.ones(SHAPE), rate).dataSync()]
  return tf.tidy(() => runInPass(all, () => Array.from({ length: times }, once)))
}

describe('dropout', () => {
  it('drops single values at the rate and scales the others', () => {
    const [values = []] = dropped(0.25)
    expect(new Set(values)).toEqual(new Set([0, Math.fround(4 / 3)]))
    const rate = values.filter((value) => value === 0).length / values.length
    expect(rate).toBeGreaterThan(0.22)
    expect(rate).toBeLessThan(0.28)
  })
  it('draws by seed, step and place', () => {
    const [first, second] = dropped(0.25, {}, 2)
    expect(dropped(0.25)).toEqual([first])
    expect(second).not.toEqual(first)
    expect(dropped(0.25, { step: 1 })).not.toEqual([first])
    expect(dropped(0.25, { seed: 2 })).not.toEqual([first])
  })
  it('does nothing in evaluation or at rate 0', () => {
    expect(new Set(dropped(0.25, { training: false })[0])).toEqual(new Set([1]))
    expect(new Set(dropped(0)[0])).toEqual(new Set([1]))
  })
  it.each([-0.1, 1, 2, Number.NaN])('refuses a rate of %d', (rate) => {
    expect(() => dropped(rate)).toThrow(`dropout: rate ${rate}, expected 0 to less than 1`)
  })
})

describe('the rates of a model', () => {
  const slots: (keyof DropoutRates)[] = ['hidden', 'activation', 'attention', 'head', 'embedding']

  /** The output of a ViT, which has every slot. */
  function output(rates: Partial<DropoutRates>, training: boolean): number[] {
    const model = smallModel(vit({ heads: 2, dropout: rates }), 'image')
    const { input, target } = smallBatch('image', 3)
    const values = tf.tidy(() => [...model.apply(input, { training }).dataSync()])
    tf.dispose([input, target])
    model.dispose()
    return values
  }

  it.each(slots)('drop at %s while training, and only then', (slot) => {
    const plain = output({}, true)
    expect(output({ [slot]: 0.5 }, true)).not.toEqual(plain)
    expect(output({ [slot]: 0.5 }, false)).toEqual(output({}, false))
  })
  it.each<[object, string]>([
    ...slots.flatMap((slot): [object, string][] => [
      [{ dropout: { [slot]: 1 } }, `model.dropout.${slot}: 1, expected less than 1`],
      [{ dropout: { [slot]: -0.1 } }, `model.dropout.${slot}: -0.1, expected at least 0`],
    ]),
    [{ dropout: { hiden: 0.1 } }, "model.dropout: unknown option 'hiden' (did you mean 'hidden'?)"],
    [{ dropout: 0.1 }, 'model.dropout: 0.1, expected an object'],
    [{ dropPath: 1 }, 'model.dropPath: 1, expected less than 1'],
    [{ dropPath: -0.1 }, 'model.dropPath: -0.1, expected at least 0'],
    [{ dropPathDecay: 'linearly' }, "model.dropPathDecay: unknown value 'linearly' (did you mean 'linear'?)"],
  ])('are refused: %j', (options, message) => {
    expect(() => resolveSize(vit, options, 'model')).toThrow(message)
  })
})
