import { expect, it } from 'vitest'
import { discs, fieldData } from '../../../../engine/data/fields/index.ts'
import { noFiles as files } from '../memory-files.ts'

const open = (options: object) => fieldData.open(discs({ train: 20, test: 4, size: 16, ...options }), files)

it('has as area the share of bright pixels, where nothing is noisy', async () => {
  const { train, fields } = await open({ difficulty: 0 })
  const { image, area } = await train.read(Array.from({ length: 20 }, (_, i) => i))
  expect(fields.image?.shape).toEqual([16, 16, 1])
  for (const [i, share] of (area as Float32Array).entries()) {
    const pixels = (image as Float32Array).subarray(i * 256, (i + 1) * 256)
    expect(share).toBeCloseTo(pixels.filter((value) => value > 0).length / 256, 6)
  }
  expect(new Set(area as Float32Array).size).toBeGreaterThan(10)
})

it('draws the same examples again, others for another part and seed, and names them in its hash', async () => {
  const first = await open({})
  const other = await open({ seed: 1 })
  const areas = async ({ train, test }: typeof first) => [(await train.read([2, 0])).area, (await test.read([0])).area]
  expect(await areas(first)).toEqual(await areas(await open({})))
  expect(await areas(first)).not.toEqual(await areas(other))
  expect(first.hash).not.toBe(other.hash)
  await expect(first.test.read([4])).rejects.toThrow('example 4 is outside 0..3')
})
