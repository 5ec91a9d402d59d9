import { useId, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import { openExport } from '../export/state.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { notify } from '../ui/notices.ts'
import { compareHash } from '../ui/route.ts'
import { type ComparedItem, itemRuns } from './items.ts'

const OFFERED = 300

/** More items than this are folded. */
const SHOWN = 12

/** What is compared, to take from and to add to. */
export function ItemList({ items, found }: { items: string[]; found: readonly ComparedItem[] }) {
  const show = (next: string[]) => {
    location.hash = compareHash(next)
  }
  const kept = itemRuns(found).flatMap(({ id, hasWeights }) => (hasWeights ? [id] : []))
  const chips = <Chips items={items} found={found} show={show} />
  return (
    <div className="compared">
      {items.length <= SHOWN && chips}
      {items.length > SHOWN && (
        <details>
          <summary>{`${items.length} runs and studies`}</summary>
          {chips}
        </details>
      )}
      <AddItem onAdd={(item) => show([...items, item])} />
      {kept.length > 0 && (
        <Button testId="export-compared" onClick={() => openExport(kept)}>
          <Icon name="export" /> Export
        </Button>
      )}
    </div>
  )
}

interface ChipsProps {
  items: string[]
  found: readonly ComparedItem[]
  show(items: string[]): void
}

function Chips({ items, found, show }: ChipsProps) {
  return (
    <ul aria-label="compared" data-testid="compared">
      {items.map((item) => (
        <li key={item} className="chip">
          {labelOf(item, found)}
          <IconButton
            icon="close"
            label={`Take ${labelOf(item, found)} out`}
            onClick={() => show(items.filter((each) => each !== item))}
          />
        </li>
      ))}
    </ul>
  )
}

function labelOf(item: string, found: readonly ComparedItem[]): string {
  if (item.startsWith('study:')) return `${item.slice('study:'.length)}, all runs`
  const run = found.find((each) => each.item === item)?.runs[0]
  return run ? `${run.study} / ${run.variant}, seed ${run.seed}` : `run ${item}`
}

/** Takes the id of a run, its name or a study, with those of the store offered. */
function AddItem({ onAdd }: { onAdd(item: string): void }) {
  const [text, setText] = useState('')
  const [near, setNear] = useState(false)
  const id = useId()
  const offered = useAnswer(String(near), async () => (near ? host().listRuns({ limit: OFFERED }) : []))
  const recent = offered.value ?? []
  const studies = [...new Set(recent.map(({ study }) => study))]
  const add = async () => {
    try {
      onAdd(text.startsWith('study:') ? text : String((await host().showRun(text)).id))
      setText('')
    } catch (error) {
      notify({ tone: 'bad', text: messageOf(error) })
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) void add()
      }}
    >
      <input
        value={text}
        onChange={({ target }) => setText(target.value)}
        onFocus={() => setNear(true)}
        list={id}
        placeholder="a run, or study:name"
        aria-label="run or study to add"
        data-testid="add-run"
      />
      <datalist id={id}>
        {studies.map((study) => (
          <option key={study} value={`study:${study}`} />
        ))}
        {recent.map((run) => (
          <option key={run.id} value={`${run.id}`} label={`${run.study} / ${run.variant}, seed ${run.seed}`} />
        ))}
      </datalist>
      <button type="submit" className="button">
        Add
      </button>
    </form>
  )
}
