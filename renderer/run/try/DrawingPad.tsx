import { type PointerEvent, useRef, useState } from 'react'
import type { Strokes } from '../../../engine/predict/drawing.ts'
import { Button } from '../../ui/Button.tsx'

/** Units along each side. */
const SIDE = 100

/** Something to draw on by a pointer; the drawing is passed on whenever a line ends. */
export function DrawingPad({ onDrawn }: { onDrawn(strokes: Strokes): void }) {
  const strokes = useRef<number[][]>([]) // the state of this frame, which the last move may be ahead of
  const [shown, show] = useState<number[][]>([])
  const draw = (next: number[][]) => {
    strokes.current = next
    show(next)
  }
  const at = ({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return [(SIDE * (clientX - left)) / width, (SIDE * (clientY - top)) / height]
  }
  return (
    <div className="try-pad">
      <svg
        viewBox={`0 0 ${SIDE} ${SIDE}`}
        role="img"
        aria-label="drawing"
        data-testid="try-pad"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          draw([...strokes.current, at(event)])
        }}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
          const last = strokes.current.at(-1) ?? []
          draw([...strokes.current.slice(0, -1), [...last, ...at(event)]])
        }}
        onLostPointerCapture={() => onDrawn(strokes.current)}
      >
        {shown.map((stroke, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stroke is known by its place alone
          <polyline key={i} points={(stroke.length === 2 ? [...stroke, ...stroke] : stroke).join(' ')} />
        ))}
      </svg>
      <Button disabled={shown.length === 0} onClick={() => draw([])}>
        Clear the drawing
      </Button>
    </div>
  )
}
