import type { TensorBody } from '../protocol/body.ts'
import { textOfValue } from '../ui/tableRows.ts'
import { FigureBody } from './FigureBody.tsx'

/** A tensor: the extent of its values, and the values as a figure, else the first of them. */
export function TensorView({ body, text }: { body: TensorBody; text: string }) {
  const { min, max, mean, notFinite, figure } = body
  return (
    <>
      <dl className="extent">
        <Fact name="min" value={min} />
        <Fact name="max" value={max} />
        <Fact name="mean" value={mean} />
        {notFinite > 0 && <Fact name="not finite" value={notFinite} />}
      </dl>
      {figure ? <FigureBody figure={figure} label="values of a tensor" /> : <pre className="value">{text}</pre>}
    </>
  )
}

function Fact({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{textOfValue(value)}</dd>
    </div>
  )
}
