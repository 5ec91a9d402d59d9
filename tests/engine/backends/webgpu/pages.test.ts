import { expect, it } from 'vitest'
import { pagesFor, piecesOf } from '../../../../engine/backends/webgpu/pages.ts'

const USUAL = { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28, maxStorageBuffersPerShaderStage: 8 }

it('takes one buffer where it may be so large, and else as few as there must be', () => {
  expect(pagesFor(USUAL, 2 ** 25)).toEqual({ count: 1, elements: 2 ** 25 })
  expect(pagesFor(USUAL, 2 ** 25 + 1)).toEqual({ count: 2, elements: 2 ** 25 })
  expect(pagesFor(USUAL, 7 * 2 ** 25)).toEqual({ count: 7, elements: 2 ** 25 })
  expect(() => pagesFor(USUAL, 7 * 2 ** 25 + 1)).toThrow(
    'needs 897 MiB, and this card lets a program have 7 buffers of 128 MiB; a smaller batch takes less',
  )
  const large = {
    maxStorageBufferBindingSize: 2 ** 32 - 4,
    maxBufferSize: 2 ** 32,
    maxStorageBuffersPerShaderStage: 10,
  }
  expect(pagesFor(large, 2 ** 30)).toEqual({ count: 2, elements: 2 ** 29 })
  expect(pagesFor({ ...USUAL, maxBufferSize: 2 ** 20 }, 2 ** 19)).toEqual({ count: 2, elements: 2 ** 18 })
})

it('divides a region where a page ends', () => {
  const pages = { count: 3, elements: 8 }
  expect(piecesOf(pages, 2, 4)).toEqual([{ page: 0, at: 2, from: 0, size: 4 }])
  expect(piecesOf(pages, 6, 12)).toEqual([
    { page: 0, at: 6, from: 0, size: 2 },
    { page: 1, at: 0, from: 2, size: 8 },
    { page: 2, at: 0, from: 10, size: 2 },
  ])
  expect(piecesOf({ count: 1, elements: 5 }, 1, 4)).toEqual([{ page: 0, at: 1, from: 0, size: 4 }])
})
