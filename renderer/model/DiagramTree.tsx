import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Box, Picture } from '../../engine/diagram/layout.ts'
import { pathOf, shareBar, textOf, tipOf } from '../../engine/diagram/svg.ts'

interface DiagramTreeProps {
  picture: Picture
  label: string
  /** Id of the part whose facts are shown. */
  selected: string | null
  share(box: Box): number
  onSelect(id: string): void
  /** Opens or closes a part. */
  onOpen(id: string, open: boolean): void
}

/** A diagram is drawn this much narrower at most, to fit: 12 px of text become 10. */
const NARROWEST = 10 / 12

/** A diagram as a tree for the keyboard: arrows go from part to part, right opens, left closes, Enter does either. */
export function DiagramTree({ picture, label, selected, share, onSelect, onOpen }: DiagramTreeProps) {
  const { width, height, boxes, lines, ports } = picture
  const items = inReadingOrder(boxes)
  const current = items.find(({ node }) => node.id === selected) ?? items[0]
  const tree = useRef<HTMLDivElement>(null)
  const focused = useRef(false)

  // a part that is gone from the picture leaves the focus to the one that is selected
  useEffect(() => {
    if (!focused.current || tree.current?.contains(document.activeElement)) return
    tree.current?.querySelector<SVGGElement>('[tabindex="0"]')?.focus()
  })

  const go = (box: Box | undefined) => {
    if (!box) return
    onSelect(box.node.id)
    const element = [...(tree.current?.querySelectorAll<SVGGElement>('[data-part]') ?? [])].find(
      ({ dataset }) => dataset.part === box.node.id,
    )
    element?.focus()
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const onKey = (event: KeyboardEvent, box: Box) => {
    const target = targetOf(event.key, box, items, (open) => onOpen(box.node.id, open))
    if (target === null) return
    event.preventDefault()
    event.stopPropagation()
    go(target)
  }

  return (
    <div
      ref={tree}
      role="tree"
      tabIndex={-1}
      aria-label={label}
      onFocus={() => {
        focused.current = true
      }}
      onBlur={({ relatedTarget }) => {
        focused.current = relatedTarget === null && !document.hasFocus()
      }}
    >
      <svg
        className="diagram"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        style={{ minWidth: NARROWEST * width }}
        role="presentation"
      >
        {items.map((box) => {
          const { node, x, y, depth, open } = box
          const bar = share(box)
          const isCurrent = box === current
          return (
            <g
              key={node.id}
              className={`part ${node.wrong === null ? (node.mark ?? '') : 'removed'}`}
              data-part={node.id}
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={node.id === selected}
              aria-expanded={node.children.length > 0 ? open : undefined}
              aria-description={node.mark ?? undefined}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => {
                onSelect(node.id)
                if (node.children.length > 0) onOpen(node.id, !open)
              }}
              onKeyDown={(event) => onKey(event, box)}
            >
              <rect
                className={depth % 2 ? 'box odd' : 'box'}
                x={x}
                y={y}
                width={box.width}
                height={box.height}
                rx={5}
              />
              {bar > 0 && <rect className="share" {...shareBar(box, bar)} />}
              {textOf(box).map(({ text, y, isName }) => (
                <text key={y} className={isName ? 'name' : undefined} x={x + 10} y={y}>
                  {`${text} `}
                </text>
              ))}
            </g>
          )
        })}
        <g>
          {lines.map(({ points, mark }) => (
            <g key={points.join(' ')}>
              <path className={`line ${mark ?? ''}`} d={pathOf(points)} />
              <path className="tip" d={tipOf(points)} />
            </g>
          ))}
          {ports.map(([x, y]) => (
            <circle key={`${x} ${y}`} className="port" cx={x} cy={y} r={3} />
          ))}
        </g>
      </svg>
    </div>
  )
}

/** Boxes as they are read: each before those inside it, which stand from top to bottom. */
function inReadingOrder(boxes: readonly Box[]): Box[] {
  return boxes.toSorted((a, b) => Number(b.node.id === '/input') - Number(a.node.id === '/input') || before(a, b))
}

function before(a: Box, b: Box): number {
  if (b.node.id.startsWith(`${a.node.id}/`)) return -1
  if (a.node.id.startsWith(`${b.node.id}/`)) return 1
  return a.node.from - b.node.from || a.y - b.y
}

/** Where a key leads; undefined for nowhere, null for a key that does nothing here. */
function targetOf(key: string, box: Box, items: readonly Box[], setOpen: (open: boolean) => void) {
  const at = items.indexOf(box)
  const canOpen = box.node.children.length > 0
  switch (key) {
    case 'ArrowDown':
      return items[at + 1]
    case 'ArrowUp':
      return items[at - 1]
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    case 'ArrowRight':
      if (box.open) return items[at + 1]
      if (canOpen) setOpen(true)
      return undefined
    case 'ArrowLeft':
      if (box.open) setOpen(false)
      else return items.slice(0, at).findLast(({ depth }) => depth < box.depth)
      return undefined
    case 'Enter':
    case ' ':
      if (canOpen) setOpen(!box.open)
      return undefined
    default:
      return null
  }
}
