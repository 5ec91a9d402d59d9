import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { parseIdx } from '../../../../engine/data/images/idx-file.ts'
import { idxBytes } from './idx-bytes.ts'

const images = idxBytes([2, 2, 3], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255])

describe('parseIdx', () => {
  it('reads dimensions and values', () => {
    const { shape, values } = parseIdx(images, 3, 'a')
    expect(shape).toEqual([2, 2, 3])
    expect([...values]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255])
  })
  it('reads gzip whatever the name', () => {
    expect([...parseIdx(gzipSync(images), 3, 'a').values]).toEqual([...parseIdx(images, 3, 'a').values])
  })
  it('reads a view into a larger buffer', () => {
    const buffer = new Uint8Array(images.length + 20)
    buffer.set(images, 7)
    expect(parseIdx(buffer.subarray(7, 7 + images.length), 3, 'a').shape).toEqual([2, 2, 3])
  })
  it.each([
    ['nothing', new Uint8Array(), 'a: offset 0: have 0 bytes, need 16 for the header'],
    ['labels for images', idxBytes([2], [0, 1]), 'a: offset 0: magic 0x00000801, expected 0x00000803'],
    ['another type', idxBytes([1, 1, 1], [0], 0x0d03), 'a: offset 0: magic 0x00000d03, expected 0x00000803'],
    ['text', new TextEncoder().encode('<html>'), 'a: offset 0: magic 0x3c68746d, expected 0x00000803'],
    ['half a header', images.subarray(0, 10), 'a: offset 4: truncated, have 6 bytes, need 12'],
    ['too few values', images.subarray(0, 20), 'a: offset 16: truncated, have 4 bytes, need 12 (2 x 2 x 3)'],
    ['too many values', new Uint8Array([...images, 0]), 'a: offset 16: have 13 bytes, expected 12 (2 x 2 x 3)'],
    ['no examples', idxBytes([0, 2, 3], []), 'a: offset 4: empty, expected at least 1 example'],
    ['images without pixels', idxBytes([2, 0, 3], []), 'a: offset 8: images of 0x3, expected at least 1x1'],
    ['a cut gzip', gzipSync(images).subarray(0, 20), 'a: truncated or damaged gzip file'],
    ['two bytes of a gzip', new Uint8Array([0x1f, 0x8b]), 'a: truncated or damaged gzip file'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => parseIdx(bytes, 3, 'a')).toThrow(message)
    expect(() => parseIdx(bytes, 3, 'a')).toThrow(expect.objectContaining({ code: 'data', path: 'a' }))
  })
  it('does not allocate what a damaged gzip file claims to hold', () => {
    const bytes = gzipSync(images)
    bytes.set([0xff, 0xff, 0xff, 0x7f], bytes.length - 4)
    expect(() => parseIdx(bytes, 3, 'a')).toThrow('a: truncated or damaged gzip file')
  })
})
