import { expect, it } from 'vitest'
import { onePage, pagesFor, piecesOf, seenAt, windowOf } from '../../../../engine/backends/webgpu/pages.ts'

const USUAL = { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28, maxStorageBuffersPerShaderStage: 8 }

it('takes one buffer where it may be so large, and else as few as there must be', () => {
  expect(pagesFor(USUAL, 2 ** 25)).toEqual({ count: 1, elements: 2 ** 25, seen: 1 })
  expect(pagesFor(USUAL, 2 ** 25 + 1)).toEqual({ count: 2, elements: 2 ** 25, seen: 2 })
  expect(pagesFor(USUAL, 7 * 2 ** 25)).toEqual({ count: 7, elements: 2 ** 25, seen: 7 })
  expect(pagesFor(USUAL, 7 * 2 ** 25 + 1)).toEqual({ count: 8, elements: 2 ** 25, seen: 7 })
  const large = {
    maxStorageBufferBindingSize: 2 ** 32 - 4,
    maxBufferSize: 2 ** 32,
    maxStorageBuffersPerShaderStage: 10,
  }
  expect(pagesFor(large, 2 ** 30)).toEqual({ count: 4, elements: 2 ** 28, seen: 4 })
  expect(pagesFor({ ...USUAL, maxBufferSize: 2 ** 20 }, 2 ** 19)).toEqual({ count: 2, elements: 2 ** 18, seen: 2 })
})

it('divides a region where a page ends', () => {
  const pages = { count: 3, elements: 8, seen: 3 }
  expect(piecesOf(pages, 2, 4)).toEqual([{ page: 0, at: 2, from: 0, size: 4 }])
  expect(piecesOf(pages, 6, 12)).toEqual([
    { page: 0, at: 6, from: 0, size: 2 },
    { page: 1, at: 0, from: 2, size: 8 },
    { page: 2, at: 0, from: 10, size: 2 },
  ])
  expect(piecesOf(onePage(5), 1, 4)).toEqual([{ page: 0, at: 1, from: 0, size: 4 }])
})

it('gives a dispatch the pages of its values, in order, and numbers elements by these', () => {
  const pages = { count: 9, elements: 8, seen: 3 }
  const window = windowOf(pages, [
    { offset: 60, size: 6 },
    { offset: 20, size: 4 },
  ]) as number[]
  expect(window).toEqual([2, 7, 8])
  expect([20, 60, 65].map((element) => seenAt(pages, window, element))).toEqual([4, 12, 17])
  expect(windowOf(pages, [{ offset: 3, size: 2 }])).toEqual([0, 1, 2])
  expect(windowOf(pages, [{ offset: 0, size: 33 }])).toBeNull()
})
