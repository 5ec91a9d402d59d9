import { prospect } from '../../engine/study/statistics/index.ts'

interface ProspectProps {
  /** Named where it is not clear which study is meant. */
  study?: string
  variants: number
  seeds: number
}

/** What a study of so many seeds can show. */
export function Prospect({ study, variants, seeds }: ProspectProps) {
  const { sentence, enough } = prospect(seeds, Math.max(0, variants - 1))
  return (
    <p className={enough ? 'muted' : 'warn'} data-testid="prospect">
      {study === undefined ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : `${study}: ${sentence}`}.
    </p>
  )
}
