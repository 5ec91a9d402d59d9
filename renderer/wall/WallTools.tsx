import { useState } from 'react'
import type { RunFields } from '../../engine/runs/types.ts'
import { MAX_PANELS, type Wall } from '../../engine/runs/wall.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { firstWall } from './firstWall.ts'
import { addWall, removeWall, renameWall, showWall, useWall } from './state.ts'

interface WallToolsProps {
  wall: Wall
  fields: RunFields
  /** Whether groups and settings are shown. */
  side: boolean
  toggleSide(): void
  add(): void
}

/** Which wall is shown, and what can be done with it. */
export function WallTools({ wall, fields, side, toggleSide, add }: WallToolsProps) {
  const names = useWall((state) => state.names)
  const name = useWall((state) => state.name) ?? ''
  const kept = useWall((state) => state.revision !== null)
  const [writing, setWriting] = useState(false)
  return (
    <div className="wall-tools" role="toolbar" aria-label="The wall">
      <Button look="small" aria-expanded={side} onClick={toggleSide} testId="wall-side">
        Groups
      </Button>
      {writing ? (
        <NameBox
          name={name}
          done={(next) => {
            setWriting(false)
            if (next) void renameWall(next)
          }}
        />
      ) : (
        <Choice
          label="wall"
          value={name}
          options={names.includes(name) ? names : [name, ...names]}
          testId="wall-name"
          onChange={(next) => void showWall(next)}
        />
      )}
      <IconButton icon="edit" label="Rename the wall" onClick={() => setWriting(!writing)} />
      <IconButton icon="copy" label="Copy the wall" onClick={() => void addWall(wall, `${name} copy`)} />
      <IconButton icon="add" label="New wall" onClick={() => void addWall(firstWall(fields), 'Charts')} />
      <IconButton
        icon="remove"
        label="Remove the wall"
        disabled={!kept}
        onClick={() => void removeWall(() => firstWall(fields))}
      />
      <span className="spacer" />
      <Button look="small" disabled={wall.panels.length >= MAX_PANELS} onClick={add} testId="add-panel">
        Add a panel
      </Button>
    </div>
  )
}

function NameBox({ name, done }: { name: string; done(name: string | null): void }) {
  const [text, setText] = useState(name)
  return (
    <form
      className="choice"
      onSubmit={(event) => {
        event.preventDefault()
        done(text.trim() || null)
      }}
    >
      <input
        ref={(input) => input?.focus()}
        value={text}
        maxLength={60}
        aria-label="Name of the wall"
        data-testid="wall-rename"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          done(null)
        }}
      />
      <button type="submit" className="button small">
        Rename
      </button>
    </form>
  )
}
