import { meaningIn } from '../../engine/records/meaning.ts'
import { alikeOf } from '../../engine/study/planned/alike.ts'
import { costLines, outlook, outlookOfPairs, shownLines } from '../../engine/study/planned/outlook.ts'
import { looksText, prospect } from '../../engine/study/statistics/index.ts'
import type { StudyView } from '../protocol/study.ts'
import { seedCount } from './table/values.ts'

interface ProspectProps {
  /** Named where it is not clear which study is meant. */
  study?: string
  variants: number
  seeds: number
  /** How many studies were planned together with it, itself among them. */
  together?: number | undefined
  /** Where it is looked at after every seed, up to this one. */
  upTo?: number | undefined
}

/** What a study of so many seeds can show, as far as its text says. */
export function Prospect({ study, variants, seeds, together = 1, upTo }: ProspectProps) {
  const others = Math.max(0, variants - 1)
  const named = study !== undefined && { study }
  if (upTo !== undefined) {
    const lines = [looksText(upTo, others, together), ...outlookOfPairs(upTo, others * together, true)]
    return <Lines {...{ lines }} enough={others > 0} {...named} />
  }
  const { sentence, enough } = prospect(seeds, others, together)
  const lines = [sentence, ...outlookOfPairs(seeds, others * together)]
  return <Lines {...{ lines, enough }} {...named} />
}

/** What a planned study can show, by the spread of those of its runs that the store had. */
export function StudyProspect({ study }: { study: StudyView }) {
  const { design, variants, metric, runs } = study
  const known = runs.flatMap((run) =>
    run.cached && run.id !== null ? [{ ...run, id: run.id, model: run.variant }] : [],
  )
  const seeds = seedCount(study)
  if (!design) return <Prospect variants={variants.length} seeds={seeds} />
  const missing = new Set(runs.flatMap(({ key, cached }) => (cached ? [] : [key]))).size
  const found = outlook(design, missing, alikeOf(known, metric))
  const meaning = meaningIn(known, metric)
  const { anytime, together } = design
  const others = design.variants.length - 1
  const looks = anytime ? [looksText(anytime.upTo, others, together?.length)] : []
  const pairs = design.questions || anytime ? [] : [prospect(seeds, others, together?.length).sentence]
  const lines = [...new Set([...looks, ...pairs, ...shownLines(found, meaning), ...costLines(found, meaning)])]
  return <Lines enough={found.futile === null} lines={lines} />
}

function Lines({ study, lines, enough }: { study?: string; lines: string[]; enough: boolean }) {
  const text = lines.join('. ')
  return (
    <p className={enough ? 'muted' : 'warn'} data-testid="prospect">
      {study === undefined ? text.charAt(0).toUpperCase() + text.slice(1) : `${study}: ${text}`}.
    </p>
  )
}
