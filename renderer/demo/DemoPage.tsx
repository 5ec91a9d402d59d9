import { useRef, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { ReadDescription } from '../../engine/export/readDescription.ts'
import type { Beside } from '../../engine/predict/demo.ts'
import { type Said, say, sayToExample, type Trial } from '../../engine/predict/said.ts'
import type { TrainedModel } from '../../engine/predict/trained.ts'
import type { ValidationExample } from '../../engine/predict/validationExample.ts'
import { AnswersView } from '../run/try/AnswersView.tsx'
import { AskForm } from '../run/try/AskForm.tsx'
import { askedFor } from '../run/try/question.ts'

interface DemoPageProps {
  title: string
  about: ReadDescription | null
  beside: Beside
  /** The model of the page, made when it is first asked for. */
  open(): Promise<TrainedModel>
}

/** How many classes, or tokens, an answer lists. */
const TOP = 5

/** What can be tried on the model of a demo, and what it says. */
export function DemoPage({ title, about, beside, open }: DemoPageProps) {
  const [shown, show] = useState<{ said: Said | null; error: string | null; waits: boolean }>(NOTHING)
  const last = useRef(0)
  const asked = about && askedFor(about.task)
  const ask = async (trial: Trial | { example: number }) => {
    const own = ++last.current
    show({ ...NOTHING, waits: true })
    await painted()
    const answer = await answered(open, trial, beside)
    if (own === last.current) show({ ...NOTHING, ...answer })
  }
  return (
    <main className="demo">
      <h1>{title}</h1>
      {!asked && <p className="bad">The model of this page cannot be tried by hand.</p>}
      {asked && (
        <div className="try">
          <div className="try-asked">
            <AskForm
              asked={asked}
              examples={beside.examples.length}
              taken={shown.said?.texts}
              onAsk={(question) => void ask(question)}
            />
            {asked.hint && <p className="muted">{asked.hint}</p>}
          </div>
          <div className="try-answer" aria-live="polite" aria-busy={shown.waits}>
            {shown.waits && <p className="muted">The model is asked.</p>}
            {shown.error && <p className="bad">{shown.error}</p>}
            {shown.said && <AnswersView said={shown.said} />}
          </div>
        </div>
      )}
      <p className="muted">Made with Mixlab. The model is in this page, and runs in it; nothing leaves it.</p>
    </main>
  )
}

const NOTHING = { said: null, error: null, waits: false }

/** What the model says, or why it says nothing. */
async function answered(
  open: DemoPageProps['open'],
  trial: Trial | { example: number },
  { drawing, examples }: Beside,
): Promise<{ said: Said } | { error: string }> {
  try {
    const model = await open()
    if (!('example' in trial)) return { said: await say(model, trial, { top: TOP, drawing, pause: painted }) }
    return { said: await sayToExample(model, examples[trial.example] as ValidationExample, TOP) }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** Resolves once the page has drawn what it shows by now: the model runs in its thread. */
const painted = () => new Promise<void>((done) => setTimeout(done))
