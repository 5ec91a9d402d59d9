import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { partText, seenFrom } from '../../engine/datacard/drawing.ts'
import type { PartOf } from '../../engine/datacard/schema.ts'
import { useTheme } from '../ui/theme.ts'

/** Degrees by key, and by px of a drag. */
const STEP = 15
const BY_PX = 0.8
const START = { turn: 30, tilt: 20 }

interface CloudProps {
  part: PartOf<'points'>
  /** In a row of a table. */
  small?: boolean
  /** A number of each point: the larger, the larger it is drawn, in another colour where it is negative. */
  weights?: ArrayLike<number>
}

/** A cloud of points that is turned by dragging it or by the arrow keys; Home brings it back. */
export function CloudView({ part, small = false, weights }: CloudProps) {
  const side = small ? 40 : weights ? 260 : 150
  const canvas = useRef<HTMLCanvasElement>(null)
  const [{ turn, tilt }, turnTo] = useState(START)
  useTheme() // whose colours are drawn
  useEffect(() => {
    const own = canvas.current
    const context = own?.getContext('2d')
    if (!own || !context) return
    const density = window.devicePixelRatio || 1
    own.width = own.height = side * density
    context.setTransform(density, 0, 0, density, 0, 0)
    const radius = side / 2.1
    const colours = [getComputedStyle(own).color, getComputedStyle(own).getPropertyValue('--series-2')] as const
    const most = weights ? Math.max(...Array.from(weights, Math.abs), 1e-12) : 1
    for (const { x, y, near, at } of seenFrom(part, turn, tilt)) {
      const weight = (weights?.[at] ?? 0) / most
      context.fillStyle = colours[weight < 0 ? 1 : 0]
      context.globalAlpha = 0.25 + 0.75 * near
      context.beginPath()
      const size = (small ? 0.5 : 1) + (small ? 0.5 : 1.5) * near + 6 * Math.abs(weight)
      context.arc(side / 2 + x * radius, side / 2 + y * radius, size, 0, 7)
      context.fill()
    }
  })
  const by = (degrees: number, upwards: number) =>
    turnTo((now) => ({ turn: now.turn + degrees, tilt: Math.max(-90, Math.min(90, now.tilt + upwards)) }))
  if (small)
    return (
      <canvas
        ref={canvas}
        className="data-cloud"
        style={{ width: side, height: side }}
        role="img"
        aria-label={partText(part)}
      />
    )
  const keys: Record<string, () => void> = {
    ArrowLeft: () => by(-STEP, 0),
    ArrowRight: () => by(STEP, 0),
    ArrowUp: () => by(0, STEP),
    ArrowDown: () => by(0, -STEP),
    Home: () => turnTo(START),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const onPointerMove = ({ currentTarget, pointerId, movementX, movementY }: PointerEvent<HTMLButtonElement>) => {
    if (currentTarget.hasPointerCapture(pointerId)) by(movementX * BY_PX, movementY * BY_PX)
  }
  return (
    <button
      type="button"
      className="data-turn"
      aria-label={`${partText(part)}, turned by ${Math.round(turn)}°, tilted by ${Math.round(tilt)}°; arrow keys turn it`}
      onKeyDown={onKeyDown}
      onClick={({ detail }) => detail === 0 && by(STEP, 0)} // Enter
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    >
      <canvas ref={canvas} className="data-cloud" style={{ width: side, height: side }} />
    </button>
  )
}
