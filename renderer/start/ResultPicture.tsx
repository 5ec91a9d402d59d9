import type { Ready } from './ready.ts'

const LINE = 22
const NAMES = 92
const WIDTH = 300
const VALUES = 46

/** The means of the variants as bars from 0, with a standard deviation to both sides. */
export function ResultPicture({ metric, rows }: Pick<Ready, 'metric' | 'rows'>) {
  const most = Math.max(...rows.map(({ mean, sd }) => mean + (sd ?? 0)))
  const scale = (WIDTH - NAMES - VALUES) / most
  const words = rows.map(({ variant, mean }) => `${variant} ${mean}`).join(', ')
  return (
    <svg
      className="result-picture"
      viewBox={`0 0 ${WIDTH} ${rows.length * LINE}`}
      role="img"
      aria-label={`${metric}: ${words}`}
    >
      {rows.map(({ variant, mean, sd }, i) => (
        <g key={variant} transform={`translate(${NAMES} ${i * LINE})`}>
          <text x={-6} y={15} textAnchor="end">
            {variant}
          </text>
          <rect y={4} width={mean * scale} height={LINE - 8} rx={2} fill={`var(--series-${(i % 7) + 1})`} />
          {sd !== null && (
            <line x1={(mean - sd) * scale} x2={(mean + sd) * scale} y1={LINE / 2} y2={LINE / 2} stroke="var(--text)" />
          )}
          <text x={(mean + (sd ?? 0)) * scale + 5} y={15}>
            {mean}
          </text>
        </g>
      ))}
    </svg>
  )
}
