import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { closeDialog, useDialog } from '../ui/dialog.ts'
import { documentHash } from '../ui/route.ts'
import { type Command, matching, shownKeys } from './command.ts'
import { COMMANDS } from './commands.ts'

/** All commands by name. */
export function CommandPalette() {
  const [query, setQuery] = useState(() => useDialog.getState().query)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const found = matching(COMMANDS, query)
  const chosen = found[Math.min(at, found.length - 1)]

  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (command: Command | undefined) => {
    if (!command && !query.trim()) return
    closeDialog()
    if (command) command.run()
    else location.assign(documentHash('', query.trim()))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) setAt((Math.min(at, found.length - 1) + by + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Commands" className="palette">
      <input
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={chosen ? idOf(chosen) : undefined}
        placeholder="Type a command"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="commands" className="palette-list" role="listbox" aria-label="Commands" ref={list}>
        {found.map((command) => (
          <button
            type="button"
            tabIndex={-1}
            key={command.name}
            id={idOf(command)}
            role="option"
            aria-selected={command === chosen}
            onClick={() => run(command)}
          >
            <span>{command.name}</span>
            <Keys keys={command.keys.slice(0, 1)} />
          </button>
        ))}
      </div>
      <p className="empty">
        {found.length === 0 && 'No command has these words. '}
        <a href={documentHash('', query.trim())} onClick={closeDialog}>
          Search the documents
        </a>
      </p>
    </Dialog>
  )
}

/** Keys as a picture of them. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((each) => <kbd key={each}>{shownKeys(each)}</kbd>)
}

function idOf({ name }: Command): string {
  return `command-${name.replace(/\W+/g, '-')}`
}
