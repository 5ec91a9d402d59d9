const DOTS = 300 / 96 // of a pixel of the page

/** A drawing as a picture of 300 dots an inch. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.naturalWidth * DOTS)
  canvas.height = Math.round(image.naturalHeight * DOTS)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('it is too large for a picture')
  return new Uint8Array(await blob.arrayBuffer())
}
