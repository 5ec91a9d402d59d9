/** A plane wave: sin(x kx + y ky + phase), lengths in pixels. */
export interface Wave {
  kx: number
  ky: number
  phase: number
}

/** A textured object. Lengths in pixels, colours in 0..1. */
export interface Blob {
  x: number
  y: number
  radius: number
  /** Corners of the outline; 0 for a disc. */
  corners: number
  rotation: number
  colour: number[]
  /** Added and subtracted along the texture, which is the product of the waves. */
  ink: number[]
  waves: Wave[]
}

export function ripple({ kx, ky, phase }: Wave, x: number, y: number): number {
  return Math.sin(x * kx + y * ky + phase)
}

/** Lays a blob over `canvas`, `[size, size, 3]`, its edge one pixel soft. */
export function paint(
  { x, y, radius, corners, rotation, colour, ink, waves }: Blob,
  canvas: Float32Array,
  size: number,
) {
  // A polygon has the area of the disc.
  const inner = corners ? radius * Math.sqrt(Math.PI / (corners * Math.tan(Math.PI / corners))) : radius
  const sides = Array.from({ length: corners }, (_, i) => {
    const angle = rotation + (2 * Math.PI * i) / corners
    return { x: Math.cos(angle), y: Math.sin(angle) }
  })
  const outline = (dx: number, dy: number) => {
    if (!corners) return Math.sqrt(dx * dx + dy * dy)
    let farthest = Number.NEGATIVE_INFINITY
    for (const side of sides) farthest = Math.max(farthest, dx * side.x + dy * side.y)
    return farthest
  }

  const reach = Math.ceil(radius * 1.3)
  const clamp = (value: number) => Math.min(size - 1, Math.max(0, value))
  for (let row = clamp(Math.floor(y) - reach); row <= clamp(Math.ceil(y) + reach); row++) {
    for (let column = clamp(Math.floor(x) - reach); column <= clamp(Math.ceil(x) + reach); column++) {
      const cover = Math.min(1, Math.max(0, inner - outline(column - x, row - y) + 0.5))
      if (cover === 0) continue
      const texture = waves.reduce((product, wave) => product * ripple(wave, column, row), 1)
      // Nearly two-toned, so that all textures have about the same histogram.
      const tone = Math.tanh(2.5 * waves.length * texture)
      for (let c = 0; c < 3; c++) {
        const i = (row * size + column) * 3 + c
        canvas[i] = (canvas[i] ?? 0) * (1 - cover) + ((colour[c] ?? 0) + tone * (ink[c] ?? 0)) * cover
      }
    }
  }
}
