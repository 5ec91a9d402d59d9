import { useEffect, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { RunLine } from '../../engine/runs/types.ts'
import { host } from '../host/state.ts'
import { notify } from '../ui/notices.ts'

/** The tags and the note of a run, to be changed. */
export function RunMarks({ id }: { id: number }) {
  const [line, setLine] = useState<RunLine | null>(null)
  const [tags, setTags] = useState('')
  const [note, setNote] = useState('')
  useEffect(() => {
    let current = true
    const take = (found: RunLine | null) => {
      if (!current) return
      setLine(found)
      setTags(found?.tags.join(' ') ?? '')
      setNote(found?.note ?? '')
    }
    readLine(id).then(take, (error) => notify({ tone: 'bad', text: messageOf(error) }))
    return () => {
      current = false
    }
  }, [id])
  if (!line) return null

  const save = async (write: () => Promise<void>) => {
    try {
      await write()
      setLine(await readLine(id))
    } catch (error) {
      notify({ tone: 'bad', text: messageOf(error) })
    }
  }
  const saveTags = () => {
    const wanted = [...new Set(tags.split(/\s+/).filter(Boolean))]
    const [add, remove] = [
      wanted.filter((tag) => !line.tags.includes(tag)),
      line.tags.filter((tag) => !wanted.includes(tag)),
    ]
    if (add.length + remove.length > 0) void save(() => host().tagRuns([id], add, remove))
  }
  const saveNote = () => {
    if (note !== line.note) void save(() => host().noteRun(id, note))
  }
  return (
    <div className="run-marks">
      <Mark name="tags" value={tags} onChange={setTags} onLeave={saveTags} />
      <Mark name="note" value={note} onChange={setNote} onLeave={saveNote} />
    </div>
  )
}

interface MarkProps {
  name: string
  value: string
  onChange(value: string): void
  /** Enter leaves, too. */
  onLeave(): void
}

function Mark({ name, value, onChange, onLeave }: MarkProps) {
  return (
    <label>
      <span className="muted">{name}</span>
      <input
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
        onBlur={onLeave}
        data-testid={`run-${name}`}
      />
    </label>
  )
}

async function readLine(id: number): Promise<RunLine | null> {
  const filter = `id:${id} archived:yes,no`
  const { rows } = await host().queryRuns({ filter, sort: [], columns: [], offset: 0, limit: 1 })
  return rows[0] ?? null
}
