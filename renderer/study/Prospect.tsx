import { prospect } from '../../engine/study/statistics/index.ts'

interface ProspectProps {
  /** Named where it is not clear which study is meant. */
  study?: string
  variants: number
  seeds: number
  /** How many studies were planned together with it, itself among them. */
  together?: number | undefined
}

/** What a study of so many seeds can show. */
export function Prospect({ study, variants, seeds, together }: ProspectProps) {
  const { sentence, enough } = prospect(seeds, Math.max(0, variants - 1), together)
  return (
    <p className={enough ? 'muted' : 'warn'} data-testid="prospect">
      {study === undefined ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : `${study}: ${sentence}`}.
    </p>
  )
}
