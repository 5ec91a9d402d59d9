import { expect, it } from 'vitest'
import { cloudArt, maskArt, pictureArt, seriesArt } from '../../../../app/cli/data/art.ts'
import { samplesLines } from '../../../../app/cli/data/lines.ts'
import { imagePart, maskPart, pointsPart, seriesPart } from '../../../../engine/datacard/parts.ts'
import type { SamplePart } from '../../../../engine/datacard/schema.ts'

const ramp = Float32Array.from({ length: 40 * 40 * 3 }, (_, i) => (i % 120) / 120)

it('draws a picture of at most 16 characters by 8 lines, light on dark', () => {
  const lines = pictureArt(imagePart(ramp, [40, 40, 3]))
  expect([lines.length, ...new Set(lines.map((line) => line.length))]).toEqual([8, 16])
  const dots = (line: string) =>
    [...line].map((sign) => (sign.charCodeAt(0) - 0x2800).toString(2).replaceAll('0', '').length)
  const across = dots(lines[4] as string)
  expect(across.slice(0, 4).reduce((a, b) => a + b)).toBeLessThan(across.slice(-4).reduce((a, b) => a + b))
  expect(pictureArt(imagePart(new Float32Array(9), [3, 3, 1]))).toEqual(['⠀⠀']) // nothing divides by 0
})
it('draws clouds, masks with a sign for each class, and series with a bar before what is forecast', () => {
  expect(
    cloudArt(pointsPart([0, 0, 0]))
      .join('')
      .replaceAll('⠀', ''),
  ).toHaveLength(1)
  expect(maskArt(maskPart([0, 1, 1, 0], [2, 2], ['ground', 'disc']))).toEqual(['·1', '1·', '· ground', '1 disc'])
  const lines = seriesArt(
    seriesPart(
      Array.from({ length: 60 }, (_, i) => i),
      1,
      45,
    ),
  )
  for (const line of lines) expect([line.length, line.indexOf('│')]).toEqual([61, 45])
})
it('stays within 80 columns, whatever is shown', () => {
  const token = { text: 'word', id: 12 }
  const parts: SamplePart[] = [
    imagePart(ramp, [40, 40, 3]),
    maskPart(new Float32Array(900), [30, 30], ['ground']),
    seriesPart(new Float32Array(300), 1, 280),
    { type: 'tokens', tokens: Array.from({ length: 90 }, () => token), left: 0 },
    { type: 'text', text: 'some text '.repeat(40) },
    {
      type: 'class',
      shares: [
        { name: 'a', share: 0.5 },
        { name: 'b', share: 0.5 },
      ],
    },
  ]
  for (const part of parts) {
    const samples = Array.from({ length: 5 }, (_, i) => ({ title: `train ${i}`, parts: [{ name: 'x', part }] }))
    const lines = samplesLines('Samples', { title: 'train', samples, notes: [] }, 80)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(lines.join('\n')).toContain('train 4')
  }
})
