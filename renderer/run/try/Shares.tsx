interface SharesProps {
  title: string
  /** The value of the whole model, to which the others are compared. */
  whole: number
  shares: readonly { name: string; value: number }[]
}

/** Values without each part, beside that of the whole. */
export function Shares({ title, whole, shares }: SharesProps) {
  if (shares.length === 0) return null
  const rows = [{ name: 'whole', value: whole }, ...shares]
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)).filter(Number.isFinite), 1e-12)
  return (
    <table className="likely" data-testid="shares">
      <caption className="muted">{title}</caption>
      <tbody>
        {rows.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="likely-bar">
              <div style={{ width: `${(100 * Math.abs(value)) / most}%` }} />
            </td>
            <td className="number">{Number(value.toPrecision(4))}</td>
            <td className="number muted">{name === 'whole' ? '' : signed(value - whole)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Number(Math.abs(value).toPrecision(3))}`
