import { bytesOf } from './parts.ts'
import type { PartOf, SamplePart } from './schema.ts'

// What is drawn of parts, for the page, reports and terminals.

/** A point of a cloud on the plane that one looks at, within -1..1, y downwards; `near` goes from 0, the farthest, to 1. */
export interface SeenPoint {
  x: number
  y: number
  near: number
  /** Its number in the cloud. */
  at: number
}

/** A cloud turned about its upright axis, z, then tilted towards the eye, both in degrees; the farthest points come first. */
export function seenFrom({ points }: PartOf<'points'>, turn: number, tilt: number): SeenPoint[] {
  const [a, b] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180]
  const seen = Array.from({ length: points.length / 3 }, (_, i): SeenPoint => {
    const [x, y, z] = [points[3 * i] ?? 0, points[3 * i + 1] ?? 0, points[3 * i + 2] ?? 0]
    const across = x * Math.cos(a) - y * Math.sin(a)
    const along = x * Math.sin(a) + y * Math.cos(a)
    const up = z * Math.cos(b) + along * Math.sin(b)
    return { x: across, y: -up, near: (1 + (z * Math.sin(b) - along * Math.cos(b)) / Math.SQRT2) / 2, at: i }
  })
  return seen.sort((first, second) => first.near - second.near)
}

/** A series within a box, as SVG paths by channel, and where the steps begin that are forecast. */
export function seriesPaths(
  { channels, from }: PartOf<'series'>,
  width: number,
  height: number,
): { paths: string[]; split: number | null } {
  const all = channels.flat()
  const [low, high] = all.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  const steps = Math.max(1, (channels[0]?.length ?? 1) - 1)
  const at = (step: number) => ((step * width) / steps).toFixed(1)
  const up = (value: number) => (height - 1 - ((value - low) * (height - 2)) / (high - low || 1)).toFixed(1)
  return {
    paths: channels.map((values) =>
      values.map((value, step) => `${step === 0 ? 'M' : 'L'}${at(step)} ${up(value)}`).join(''),
    ),
    split: from === null ? null : ((from - 0.5) * width) / steps,
  }
}

/** Red, green and blue of classes, after Okabe and Ito; the first, mostly the ground, is dark. Later ones repeat. */
const CLASS_COLOURS: readonly [number, number, number][] = [
  [40, 40, 40],
  [86, 180, 233],
  [230, 159, 0],
  [0, 158, 115],
  [240, 228, 66],
  [204, 121, 167],
  [213, 94, 0],
  [0, 114, 178],
]

/** The colour of a class in masks. */
export function classColour(label: number): readonly [number, number, number] {
  return CLASS_COLOURS[label % CLASS_COLOURS.length] ?? [0, 0, 0]
}

/** The share of the pixels that each class of a mask has, those that it has not left out, the largest first. */
export function maskShares(part: PartOf<'mask'>): { label: number; name: string; share: number }[] {
  const labels = bytesOf(part)
  const counts = new Map<number, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts]
    .map(([label, count]) => ({ label, name: part.classes[label] ?? `class ${label}`, share: count / labels.length }))
    .sort((a, b) => b.share - a.share)
}

/** A picture or mask as red, green and blue, a byte each. Throws an Error where its bytes are not as many as it says. */
export function rgbOf(part: PartOf<'image'> | PartOf<'mask'>): Uint8ClampedArray<ArrayBuffer> {
  const bytes = bytesOf(part)
  const { width, height } = part
  const channels = part.type === 'image' ? part.channels : 1
  if (bytes.length !== width * height * channels) throw new Error('a picture has other bytes than it says')
  const rgb = new Uint8ClampedArray(3 * width * height)
  for (let i = 0; i < width * height; i++) {
    const colour = part.type === 'mask' ? classColour(bytes[i] ?? 0) : null
    for (let c = 0; c < 3; c++)
      rgb[3 * i + c] = colour ? (colour[c] ?? 0) : (bytes[i * channels + (channels === 3 ? c : 0)] ?? 0)
  }
  return rgb
}

/** A part in words, for those who do not see it and for lines of text. */
export function partText(part: SamplePart): string {
  switch (part.type) {
    case 'image':
      return `picture, ${part.height} × ${part.width}`
    case 'mask':
      return maskShares(part)
        .map(({ name, share }) => `${name} ${percent(share)}`)
        .join(', ')
    case 'tokens':
      return part.tokens.map(({ text }) => text).join(' ')
    case 'text':
      return part.text
    case 'points':
      return `cloud of ${part.points.length / 3} points`
    case 'series': {
      const steps = part.channels[0]?.length ?? 0
      const forecast = part.from === null ? '' : `, the last ${steps - part.from} to be forecast`
      return `${part.channels.length} series of ${steps} steps${forecast}`
    }
    case 'class':
      return part.shares
        .map(({ name, share }) => (part.shares.length === 1 ? name : `${name} ${percent(share)}`))
        .join(', ')
    case 'values':
      return `${part.values.join(', ')}${part.of > part.values.length ? `, ... ${part.of - part.values.length} more` : ''}`
  }
}

const percent = (share: number) => `${(100 * share).toFixed(share < 0.01 || (share > 0.99 && share < 1) ? 1 : 0)}%`
