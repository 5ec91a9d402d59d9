import { leftText, type Preflight, preflightText } from '../../../engine/records/preflight.ts'

interface PreflightLineProps {
  variant: string
  known: Preflight | undefined
  /** Whether there was no time to look at it. */
  left: boolean
}

/** What was known of a variant before it was trained. */
export function PreflightLine({ variant, known, left }: PreflightLineProps) {
  if (!known && !left) return null
  return (
    <tr className="verdict">
      <td colSpan={7}>
        <p className={(known?.wrong ?? known?.exported ?? null) === null ? 'muted' : 'warn'} data-testid="preflight">
          {known ? preflightText(known) : leftText([variant])}
        </p>
      </td>
    </tr>
  )
}
