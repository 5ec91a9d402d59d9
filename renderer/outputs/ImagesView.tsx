import { createElement, useEffect, useRef } from 'react'
import { bytesOfBase64 } from '../../engine/data/base64.ts'
import type { ImagesBody } from '../protocol/body.ts'

/** Small pictures are drawn this many times larger, so that pixels can be seen. */
const SMALL = 64
const SCALE = 2

/** Pixels of all pictures of a value; a kernel sends fewer, unless it lies. */
const MAX_PIXELS = 2 ** 20

/** Pictures in a grid. Throws an Error where they are more than a cell can show. */
export function ImagesView({ body }: { body: ImagesBody }) {
  const { images, width, height, note } = body
  if (!(width * height * images.length <= MAX_PIXELS))
    throw new Error(`its pictures have more than ${MAX_PIXELS} pixels`)
  const pictures = images.map((_, index) => createElement(Picture, { body, index }))
  return (
    <>
      {createElement('div', { className: 'pictures' }, ...pictures)}
      {note && <p className="muted">{note}</p>}
    </>
  )
}

function Picture({ body, index }: { body: ImagesBody; index: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width, height, images } = body
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    context?.putImageData(new ImageData(pixels(body, images[index] ?? ''), width, height), 0, 0)
  }, [body, images, index, width, height])
  const scale = Math.max(width, height) <= SMALL ? SCALE : 1
  const label = images.length === 1 ? `picture, ${height} × ${width}` : `picture ${index + 1} of ${images.length}`
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      style={{ width: width * scale, height: height * scale }}
      role="img"
      aria-label={label}
    />
  )
}

/** The bytes of a picture as red, green, blue and opacity. */
function pixels({ width, height, channels }: ImagesBody, image: string): Uint8ClampedArray<ArrayBuffer> {
  const bytes = bytesOfBase64(image)
  const shown = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    for (let channel = 0; channel < 3; channel++) {
      shown[i * 4 + channel] = bytes[i * channels + (channels === 3 ? channel : 0)] ?? 0
    }
    shown[i * 4 + 3] = 255
  }
  return shown
}
