import { type Preflight, preflightText } from '../../../engine/records/preflight.ts'

/** What was known of a variant before it was trained. */
export function PreflightLine({ known }: { known: Preflight | undefined }) {
  if (!known) return null
  return (
    <tr className="verdict">
      <td colSpan={6}>
        <p className={(known.wrong ?? known.exported) === null ? 'muted' : 'warn'} data-testid="preflight">
          {preflightText(known)}
        </p>
      </td>
    </tr>
  )
}
