import { useEffect, useState } from 'react'
import { renameCell } from '../session/actions.ts'
import { notify } from '../ui/notices.ts'

/** The name of a cell, written in place. */
export function CellName({ cellKey, id }: { cellKey: string; id: string }) {
  const [text, setText] = useState(id)
  useEffect(() => setText(id), [id])

  const apply = () => {
    const problem = renameCell(cellKey, text.trim())
    if (!problem) return
    notify({ tone: 'bad', text: `Not renamed: ${problem}.` })
    setText(id)
  }
  return (
    <input
      className="cell-name"
      aria-label="cell name"
      spellCheck={false}
      size={Math.max(4, text.length)}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setText(id)
      }}
    />
  )
}
