import { useEffect, useState } from 'react'
import { shownKeys } from '../commands/command.ts'
import { openFind } from '../find/state.ts'
import { madeAgain } from '../model/worker.ts'
import { deleteNotebook } from '../session/files/bin.ts'
import { duplicateNotebook } from '../session/files/files.ts'
import { renameOpenNotebook } from '../session/files/rename.ts'
import { saveReport } from '../session/files/share.ts'
import { openDialog } from '../ui/dialog.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** The name of the notebook, written in place, and what concerns all of it. */
export function NotebookHead({ name }: { name: string }) {
  const title = name.replace(/\.ts$/, '')
  const [text, setText] = useState(title)
  useEffect(() => setText(title), [title])

  const apply = async () => {
    if (text.trim() === title || !(await renameOpenNotebook(text.trim()))) setText(title)
  }
  return (
    <header className="notebook-head">
      <h1 className="hidden">{title}</h1>
      <input
        className="notebook-name"
        aria-label="notebook name"
        data-testid="notebook-name"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void apply()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setText(title)
        }}
      />
      <IconButton icon="find" label="Find and replace" keys={shownKeys('Mod+F')} onClick={openFind} />
      <IconButton icon="history" label="History" testId="history" onClick={() => openDialog('history')} />
      <IconButton icon="copy" label="Duplicate" testId="duplicate" onClick={() => void duplicateNotebook(name)} />
      <IconButton icon="remove" label="Delete" testId="delete" onClick={() => void deleteNotebook(name)} />
      <IconButton icon="export" label="Share as a report" testId="share" onClick={() => void saveReport(madeAgain)} />
      <IconButton
        icon="commands"
        label="All commands"
        keys={shownKeys('Mod+Shift+P')}
        onClick={() => openDialog('palette')}
      />
      <IconButton icon="keys" label="Keys" keys="H" onClick={() => openDialog('keys')} />
    </header>
  )
}
