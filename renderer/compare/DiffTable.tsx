import { Head } from '../ui/Head.tsx'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import { type FactRow, factRows } from './differences.ts'
import type { ComparedGroup } from './groups.ts'

interface DiffTableProps {
  title: string
  groups: readonly ComparedGroup[]
  factsOf(group: ComparedGroup): Record<string, string | number | undefined>
}

/** Facts of several groups: those that differ beside each other, the others folded. */
export function DiffTable({ title, groups, factsOf }: DiffTableProps) {
  const rows = factRows(groups.map(factsOf))
  const [different, same] = [rows.filter(({ differs }) => differs), rows.filter(({ differs }) => !differs)]
  const id = `compare-${title.toLowerCase()}`
  return (
    <section aria-labelledby={id} data-testid={id}>
      <h2 id={id}>{title}</h2>
      {different.length > 0 && (
        <Facts label={`${title}: what differs`} heads={groups.map(({ name }) => name)} rows={different} />
      )}
      {different.length === 0 && groups.length > 1 && <p className="muted">No difference.</p>}
      {same.length > 0 && (
        <details open={groups.length === 1}>
          <summary>{groups.length === 1 ? 'All' : `${same.length} the same`}</summary>
          <Facts
            label={`${title}: what is the same`}
            heads={['value']}
            rows={same.map((row) => ({ ...row, values: row.values.slice(0, 1) }))}
          />
        </details>
      )}
    </section>
  )
}

function Facts({ label, heads, rows }: { label: string; heads: string[]; rows: FactRow[] }) {
  return (
    <ScrollBox label={label}>
      <table className="facts">
        <thead>
          <tr>
            <Head>
              <span className="hidden">name</span>
            </Head>
            {heads.map((head) => (
              <Head key={head}>{head}</Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {heads.map((head, index) => (
                <td key={head} data-differs={values[index] !== values[0]}>
                  <FactValue value={values[index] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** Of a hash the first digits are shown. */
function FactValue({ value }: { value: string | null }) {
  if (value === null) return '–'
  return /^[\da-f]{64}$/.test(value) ? <code title={value}>{value.slice(0, 16)}</code> : value
}
