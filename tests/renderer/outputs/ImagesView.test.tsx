import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ImagesView } from '../../../renderer/outputs/ImagesView.tsx'
import type { ImagesBody } from '../../../renderer/protocol/body.ts'

const body: ImagesBody = { type: 'images', width: 384, height: 384, channels: 1, images: [''], note: '1 of 2' }
const drawn = (changes: Partial<ImagesBody>) => renderToStaticMarkup(<ImagesView body={{ ...body, ...changes }} />)

it('draws pictures, but none that would take the memory of the page, which a cell may send in place of its kernel', () => {
  expect(drawn({})).toContain('aria-label="picture, 384 × 384"')
  expect(drawn({})).toContain('1 of 2')
  for (const size of [20_000, Number.NaN, '20000' as never])
    expect(() => drawn({ width: size, height: size })).toThrow('more than 1048576 pixels')
  expect(() => drawn({ images: Array(20).fill('') })).toThrow('pixels')
})
