import { useState } from 'react'
import { tasksReading } from '../../engine/datacard/found.ts'
import type { DataWanted } from '../../engine/datacard/look.ts'
import type { DataBody } from '../../engine/datacard/schema.ts'
import { CardView } from '../datacard/CardView.tsx'
import { SamplesView } from '../datacard/SamplesView.tsx'
import { type HostAnswer, useAnswer } from '../host/useAnswer.ts'
import { runningKernel } from '../session/kernel/control.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { DATA_HASH, dataHash } from '../ui/route.ts'
import { isNamed, referenceOf, titleOf } from './reference.ts'

/** Examples that are shown at a time. */
const COUNT = 10

/** Data, by their card, samples and a batch. */
export function LookedAt({ of, task }: { of: string; task: string }) {
  const ask = async (wanted: DataWanted) => (await runningKernel()).lookAtData(await referenceOf(of, task), wanted)
  const { value, error } = useAnswer('card', () => ask({ card: true }))
  const card = value?.card ?? null
  const tasks = isNamed(of) ? tasksReading(of) : []
  return (
    <>
      <nav className="data-way" aria-label="data">
        <a href={DATA_HASH}>Data</a>
      </nav>
      <header className="data-top">
        <h1 className="page-title">{titleOf(of)}</h1>
        {tasks.length > 1 && (
          <Choice
            label="read for"
            value={task || card?.task || ''}
            options={tasks}
            onChange={(next) => location.assign(dataHash(of, next))}
            testId="data-task"
          />
        )}
      </header>
      {error && <p className="bad">{error}</p>}
      {!error && (
        <div className="datacard" data-testid="datacard">
          {card ? <CardView card={card} /> : <p role="status">The kernel opens the data and reads them once.</p>}
          <SamplesSection names={card?.splits.map(({ name }) => name) ?? ['train']} ask={ask} />
          <BatchSection ask={ask} hasRecipe={!isNamed(of)} task={task || card?.task || ''} />
        </div>
      )}
    </>
  )
}

type Ask = (wanted: DataWanted) => Promise<DataBody>

/** Samples of a split, drawn by a seed, and those after them. */
function SamplesSection({ names, ask }: { names: string[]; ask: Ask }) {
  const [{ split, seed, from }, draw] = useState({ split: names[0] ?? 'train', seed: 0, from: 0 })
  const answer = useAnswer(`${split} ${seed} ${from}`, async () => {
    return (await ask({ samples: { split, seed, from, count: COUNT } })).samples
  })
  return (
    <div>
      <div className="data-choices">
        <Choice
          label="split"
          value={split}
          options={names}
          onChange={(next) => draw({ split: next, seed, from: 0 })}
          testId="data-split"
        />
        <SeedInput value={seed} onChange={(next) => draw({ split, seed: next, from: 0 })} testId="samples-seed" />
        <Button onClick={() => draw({ split, seed: seed + 1, from: 0 })} testId="samples-draw">
          Draw again
        </Button>
        <Button disabled={from === 0} onClick={() => draw({ split, seed, from: Math.max(0, from - COUNT) })}>
          Previous
        </Button>
        <Button onClick={() => draw({ split, seed, from: from + COUNT })} testId="samples-next">
          Next
        </Button>
      </div>
      <Answered answer={answer} what="Samples" />
    </div>
  )
}

interface BatchProps {
  ask: Ask
  /** Whether the recipe is that of a run or a study; else the user may write one. */
  hasRecipe: boolean
  task: string
}

/** A recipe for example: pictures are mixed and changed, other data put in batches. */
const exampleFor = (task: string) => (task === 'image' ? '{ mixup: 0.2, augment: { crop: 4 } }' : '{ batch: 8 }')

/** A training batch of a step of a run with a seed. */
function BatchSection({ ask, hasRecipe, task }: BatchProps) {
  const [recipe, setRecipe] = useState('')
  const [{ seed, step }, draw] = useState({ seed: 1, step: 0 })
  const [text, setText] = useState('')
  const answer = useAnswer(`${recipe} ${seed} ${step}`, async () => {
    return (await ask({ batch: { seed, step, count: COUNT, ...(recipe && { recipe }) } })).batch
  })
  return (
    <div>
      <div className="data-choices">
        <SeedInput value={seed} onChange={(next) => draw({ seed: next, step })} testId="batch-seed" />
        <Button onClick={() => draw({ seed: seed + 1, step })} testId="batch-draw">
          Draw again
        </Button>
        <Button disabled={step === 0} onClick={() => draw({ seed, step: step - 1 })}>
          Previous batch
        </Button>
        <Button onClick={() => draw({ seed, step: step + 1 })} testId="batch-next">
          Next batch
        </Button>
        {!hasRecipe && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              setRecipe(text.trim())
            }}
          >
            <label>
              <span className="muted">recipe</span>
              <input
                value={text}
                placeholder={exampleFor(task)}
                onChange={({ target }) => setText(target.value)}
                data-testid="data-recipe"
              />
            </label>
            <button type="submit" className="button">
              Apply
            </button>
          </form>
        )}
      </div>
      <Answered answer={answer} what="A batch as the model gets it" />
    </div>
  )
}

interface SeedProps {
  value: number
  onChange(value: number): void
  testId: string
}

function SeedInput({ value, onChange, testId }: SeedProps) {
  return (
    <label className="choice">
      <span className="muted">seed</span>
      <input
        type="number"
        min="0"
        step="1"
        value={value}
        data-testid={testId}
        onChange={({ target }) => {
          const next = Number(target.value)
          if (Number.isInteger(next) && next >= 0) onChange(next)
        }}
      />
    </label>
  )
}

function Answered({ answer: { value, error }, what }: { answer: HostAnswer<DataBody['samples']>; what: string }) {
  if (error) return <p className="bad">{error}</p>
  if (!value)
    return (
      <p className="muted" role="status">
        {what}: the kernel makes it.
      </p>
    )
  return <SamplesView samples={value} what={what} head="h2" />
}
