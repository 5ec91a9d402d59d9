import { expect, it } from 'vitest'
import { maskShares, partText, rgbOf, seenFrom, seriesPaths } from '../../../engine/datacard/drawing.ts'
import { imagePart, maskPart, pointsPart, seriesPart } from '../../../engine/datacard/parts.ts'

it('turns a cloud about its upright axis, and tilts it towards the eye', () => {
  const cloud = pointsPart([1, 0, 0, 0, 0, 1])
  const at = (turn: number, tilt: number) =>
    seenFrom(cloud, turn, tilt).map(({ x, y }) => [x, y].map((value) => Math.round(100 * value) / 100 + 0))
  expect(at(0, 0)).toEqual([
    [1, 0],
    [0, -1],
  ])
  expect(new Set(at(90, 0).map(String))).toEqual(new Set(['0,0', '0,-1']))
  expect(new Set(at(0, 90).map(String))).toEqual(new Set(['1,0', '0,0'])) // from above
})
it('draws a series within its box, and says where it is forecast', () => {
  const { paths, split } = seriesPaths(seriesPart([0, 5, 10], 1, 2), 100, 50)
  expect(paths).toEqual(['M0.0 49.0L50.0 25.0L100.0 1.0'])
  expect(split).toBe(75)
  expect(seriesPaths(seriesPart([3, 3], 1, null), 10, 10).paths[0]).not.toContain('NaN')
})
it('has pictures of 0..1 as they are, and others from their smallest to their largest value', () => {
  expect([...rgbOf(imagePart([0, 0.5], [1, 2, 1]))]).toEqual([0, 0, 0, 128, 128, 128])
  expect([...rgbOf(imagePart([-2, 2], [1, 2, 1]))]).toEqual([0, 0, 0, 255, 255, 255])
  expect(imagePart(new Float32Array(300 * 200), [300, 200, 1])).toMatchObject({ height: 96, width: 64 })
})
it('says what a mask has, and refuses one of other bytes', () => {
  const mask = maskPart([0, 0, 0, 1], [2, 2], ['ground', 'disc'])
  expect(maskShares(mask).map(({ name, share }) => [name, share])).toEqual([
    ['ground', 0.75],
    ['disc', 0.25],
  ])
  expect(partText(mask)).toBe('ground 75%, disc 25%')
  expect(() => rgbOf({ ...mask, width: 3 })).toThrow('a picture has other bytes than it says')
})
