import { createElement, useEffect, useRef } from 'react'
import { classColour, maskShares, partText, rgbOf, seriesPaths } from '../../engine/datacard/drawing.ts'
import type { PartOf, SamplePart, Token } from '../../engine/datacard/schema.ts'
import { CloudView } from './CloudView.tsx'
import './parts.css'

/** The longer side of a picture on the page, in px; pixels of small ones are drawn as whole squares. */
const SIDE = 96
const SMALL_SIDE = 40

interface PartProps {
  part: SamplePart
  /** What it is called, where that is shown. */
  name?: string | undefined
  /** In a row of a table. */
  small?: boolean
}

/** A part of an example. */
export function PartView({ part, name, small = false }: PartProps) {
  const view = viewOf(part, small)
  if (name === undefined || small) return view
  return (
    <div className="data-part">
      <span className="muted">{name}</span>
      {view}
    </div>
  )
}

function viewOf(part: SamplePart, small: boolean) {
  switch (part.type) {
    case 'image':
      return <Picture part={part} small={small} />
    case 'mask':
      return small ? <Picture part={part} small /> : <Mask part={part} />
    case 'points':
      return <CloudView part={part} small={small} />
    case 'series':
      return <Series part={part} small={small} />
    case 'tokens':
      return small ? <span className="data-clip">{partText(part)}</span> : <Tokens part={part} />
    default:
      return <span className={small ? 'data-clip' : 'data-text'}>{partText(part)}</span>
  }
}

function Picture({ part, small }: { part: PartOf<'image'> | PartOf<'mask'>; small: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width, height } = part
  useEffect(() => {
    const rgb = rgbOf(part)
    const shown = new Uint8ClampedArray(4 * width * height).fill(255)
    for (let i = 0; i < width * height; i++) shown.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i)
    canvas.current?.getContext('2d')?.putImageData(new ImageData(shown, width, height), 0, 0)
  }, [part, width, height])
  const side = small ? SMALL_SIDE : SIDE
  const scale = Math.max(1, Math.floor(side / Math.max(width, height)))
  const shrunk = small && Math.max(width, height) > side ? side / Math.max(width, height) : scale
  return (
    <canvas
      ref={canvas}
      className="data-picture"
      width={width}
      height={height}
      style={{ width: width * shrunk, height: height * shrunk }}
      role="img"
      aria-label={partText(part)}
    />
  )
}

/** A mask with what its colours stand for. */
function Mask({ part }: { part: PartOf<'mask'> }) {
  return (
    <div className="data-mask">
      <Picture part={part} small={false} />
      <ul>
        {maskShares(part).map(({ label, name, share }) => (
          <li key={label}>
            <span className="data-swatch" style={{ background: `rgb(${classColour(label).join(' ')})` }} />
            {name} {Math.round(100 * share)}%
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Lines by channel; what is forecast stands on a ground of its own, behind an upright line. */
function Series({ part, small }: { part: PartOf<'series'>; small: boolean }) {
  const [width, height] = small ? [80, 24] : [240, 84]
  const { paths, split } = seriesPaths(part, width, height)
  const lines = paths.map((d, channel) =>
    createElement('path', { d, style: { stroke: `var(--series-${(channel % 7) + 1})` } }),
  )
  const drawing = (
    <svg
      className="data-series"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={partText(part)}
    >
      {split !== null && <rect x={split} y={0} width={width - split} height={height} />}
      {split !== null && <line x1={split} x2={split} y1={0} y2={height} />}
      {createElement('g', null, ...lines)}
    </svg>
  )
  if (small || part.from === null) return drawing
  const steps = part.channels[0]?.length ?? 0
  return (
    <>
      {drawing}
      <span className="muted data-title">
        of {steps} steps the last {steps - part.from} are forecast
      </span>
    </>
  )
}

/** Tokens in boxes, each with its id, and with what stood there before. */
function Tokens({ part: { tokens, left } }: { part: PartOf<'tokens'> }) {
  const padding = tokens.filter(({ is }) => is === 'padding').length // all at the end
  const shown = tokens.slice(0, tokens.length - padding)
  const boxes = shown.map((token) => createElement(TokenBox, { token }))
  return (
    <div className="tokens">
      {createElement('div', { className: 'token-row' }, ...boxes)}
      {padding > 0 && (
        <span className="token" data-is="padding">
          <span>[PAD] × {padding}</span>
          <small>0</small>
        </span>
      )}
      {left > 0 && <span className="muted">{left} more tokens</span>}
    </div>
  )
}

function TokenBox({ token: { text, id, is, was, second } }: { token: Token }) {
  const changed = was !== undefined && is !== 'kept'
  return (
    <span
      className="token"
      data-is={is}
      data-second={second}
      title={is ? `${is}${changed ? `, was ${was}` : ''}` : undefined}
    >
      <span>{visible(text)}</span>
      <small>{id}</small>
      {changed && <small className="token-was">{visible(was)}</small>}
    </span>
  )
}

/** White space of a token as signs that are seen. */
const visible = (text: string) => text.replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥')
